import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import {
	getField,
	getPollParameters,
	type ParameterContext,
	readParameter,
	refuseFixed,
	throwParameterError,
} from '../parameters/parameter';
import { formatValue, readBoolean, parseNumber, parseText } from '../parameters/value';
import { simplify } from '../parameters/sharedProperties';
import { contactFieldNames, type ContactFieldName } from '../service/records';
import { eventNames, type EventName } from './events';
import * as property from './properties';

export interface Settings {
	events: EventName[];
	/** Whether contacts are reduced to their useful fields. */
	isSimplified: boolean;
	/** Text that contacts have to match; empty for all. */
	search: string;
	/** Only an update of one of these fields of a contact is an event; empty for any. */
	fields: ContactFieldName[];
	/** The most events of one poll; Infinity for all. */
	maxEvents: number;
}

/** A poll has no items; what reads parameters takes the first. */
const itemIndex = 0;

/** @throws NodeOperationError naming the parameter that is invalid */
export function readSettings(poll: IPollFunctions): Settings {
	const context = getPollParameters(poll);
	const { events, fields, maxEvents, search } = property;
	const options = readParameter(context, property.options, itemIndex) as IDataObject;
	const ref = { itemIndex, displayName: search.displayName };
	refuseFixed(context, ref, Object(poll.getNode().parameters.options)[search.name]);
	const text = parseText(context, getField(options, search), ref).trim();
	if (Object.hasOwn(options, search.name) && text === '') {
		const advice = 'All contacts would be watched. Enter a value, or remove the option.';
		throwParameterError(context, itemIndex, `'${search.displayName}' is empty`, advice);
	}
	return {
		events: parseChosen(context, events, readParameter(context, events, itemIndex), eventNames),
		fields: parseChosen(context, fields, getField(options, fields), contactFieldNames),
		isSimplified: readBoolean(context, simplify, itemIndex),
		search: text,
		maxEvents: Object.hasOwn(options, maxEvents.name)
			? parseNumber(context, maxEvents, options.maxEvents, itemIndex)
			: Infinity,
	};
}

/** What is chosen of a parameter of n8n's type `multiOptions`, each once, in the order of its names. */
function parseChosen<Name extends string>(
	context: ParameterContext,
	{ displayName }: INodeProperties,
	given: unknown,
	names: readonly Name[],
): Name[] {
	const isKnown = Array.isArray(given) && given.every((name) => names.includes(name as Name));
	if (isKnown) return names.filter((name) => given.includes(name));
	const problem = `'${displayName}' has an invalid value`;
	const advice = `It is ${formatValue(given)}. Choose from ${names.join(', ')}.`;
	return throwParameterError(context, itemIndex, problem, advice);
}
