import type { IPollFunctions } from 'n8n-workflow';
import { addedFieldsOf, fieldOf, parameterOf } from '../parameters/parameter';
import { parametersOfPoll, type ParameterContext } from '../parameters/parameterContext';
import { limit as limitProperty } from '../parameters/limit';
import { refuse } from '../parameters/refuse';
import { isOn, number } from '../parameters/setting';
import { shown } from '../parameters/shown';
import { simplify } from '../parameters/simplify';
import { textOf } from '../parameters/textParameter';
import { eventNames, type EventName } from './events';
import {
	events as eventsProperty,
	options as optionsProperty,
	search as searchProperty,
} from './properties';

/** What a poll looks for. */
export interface Settings {
	events: EventName[];
	/** Whether contacts are reduced to their useful fields. */
	simplify: boolean;
	/** Text that contacts have to match; empty for all. */
	search: string;
	/** The most events of one poll; Infinity for all. */
	limit: number;
}

/** A poll has no items; what reads parameters takes the first. */
const item = 0;

/** @throws NodeOperationError naming the parameter that cannot be right */
export function readSettings(poll: IPollFunctions): Settings {
	const context = parametersOfPoll(poll);
	const options = addedFieldsOf(context, optionsProperty, item);
	const { displayName } = searchProperty;
	return {
		events: readEvents(context),
		simplify: isOn(context, simplify, parameterOf(context, simplify, item), item),
		search: textOf(context, fieldOf(options, searchProperty), {
			itemIndex: item,
			displayName,
		}).trim(),
		limit: Object.hasOwn(options, limitProperty.name)
			? number(context, limitProperty, options.limit, item, { isWhole: true })
			: Infinity,
	};
}

function readEvents(context: ParameterContext): EventName[] {
	const given = parameterOf(context, eventsProperty, item);
	const chosen = eventNames.filter((name) => Array.isArray(given) && given.includes(name));
	const isKnown = Array.isArray(given) && given.every((name) => eventNames.includes(name));
	if (!isKnown) {
		const advice = `It is ${shown(given)}. Choose from ${eventNames.join(', ')}.`;
		return refuse(context, item, 'Events has something that this trigger does not know', advice);
	}
	if (chosen.length > 0) return chosen;
	return refuse(context, item, 'Events is empty', 'Choose what starts the workflow.');
}
