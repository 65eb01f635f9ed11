import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import {
	getField,
	getPollParameters,
	type ParameterContext,
	readAddedFields,
	readParameter,
	throwParameterError,
} from '../parameters/parameter';
import { formatValue, readBoolean, parseNumber, parseText } from '../parameters/value';
import { limit as limitProperty, simplify } from '../parameters/sharedProperties';
import { contactFieldNames, type ContactFieldName } from '../service/records';
import { eventNames, type EventName } from './events';
import {
	events as eventsProperty,
	fields as fieldsProperty,
	options as optionsProperty,
	search as searchProperty,
} from './properties';

export interface Settings {
	events: EventName[];
	/** Whether contacts are reduced to their useful fields. */
	isSimplified: boolean;
	/** Text that contacts have to match; empty for all. */
	search: string;
	/** Only an update of one of these fields of a contact is an event; empty for any. */
	fields: ContactFieldName[];
	/** The most events of one poll; Infinity for all. */
	limit: number;
}

/** A poll has no items; what reads parameters takes the first. */
const item = 0;

/** @throws NodeOperationError naming the parameter that cannot be right */
export function readSettings(poll: IPollFunctions): Settings {
	const context = getPollParameters(poll);
	const options = readAddedFields(context, optionsProperty, item);
	const { displayName } = searchProperty;
	return {
		events: readEvents(context),
		fields: chosen(context, fieldsProperty, getField(options, fieldsProperty), contactFieldNames),
		isSimplified: readBoolean(context, simplify, item),
		search: parseText(context, getField(options, searchProperty), {
			itemIndex: item,
			displayName,
		}).trim(),
		limit: Object.hasOwn(options, limitProperty.name)
			? parseNumber(context, limitProperty, options.limit, item)
			: Infinity,
	};
}

function readEvents(context: ParameterContext): EventName[] {
	const given = readParameter(context, eventsProperty, item);
	const events = chosen(context, eventsProperty, given, eventNames);
	if (events.length > 0) return events;
	return throwParameterError(context, item, 'Events is empty', 'Choose what starts the workflow.');
}

/** What is chosen of a parameter of n8n's type `multiOptions`, each once, in the order of its names. */
function chosen<Name extends string>(
	context: ParameterContext,
	{ displayName }: INodeProperties,
	given: unknown,
	names: readonly Name[],
): Name[] {
	const isKnown = Array.isArray(given) && given.every((name) => names.includes(name as Name));
	if (isKnown) return names.filter((name) => given.includes(name));
	const problem = `${displayName} has something that this trigger does not know`;
	return throwParameterError(
		context,
		item,
		problem,
		`It is ${formatValue(given)}. Choose from ${names.join(', ')}.`,
	);
}
