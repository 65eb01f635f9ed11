/** Reads the parameters of the trigger for a poll. */
import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { contactFieldNames, type ContactFieldName } from '../api/records';
import { createPollReader, type ParameterReader } from '../parameters/parameterReader';
import { search, simplify } from '../parameters/properties';
import { texts } from '../parameters/texts';
import { eventNames, type EventName } from './events';
import * as property from './properties';
import { texts as own } from './texts';

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

/** @throws NodeOperationError naming the parameter that is invalid */
export function readSettings(poll: IPollFunctions): Settings {
	const reader = createPollReader(poll);
	const { events, fields, maxEvents } = property;
	const options = reader.read(property.options) as IDataObject;
	reader.refuseFixed(search.displayName, Object(poll.getNode().parameters.options)[search.name]);
	const text = reader.toText(reader.read(search, options), search).trim();
	if (Object.hasOwn(options, search.name) && text === '')
		reader.refuse(texts.empty(search.displayName, own.emptySearch));
	return {
		events: parseChosen(reader, events, reader.read(events), eventNames),
		fields: parseChosen(reader, fields, reader.read(fields, options), contactFieldNames),
		isSimplified: reader.boolean(simplify),
		search: text,
		maxEvents: Object.hasOwn(options, maxEvents.name)
			? reader.number(maxEvents, options)
			: Infinity,
	};
}

/** The choices of a parameter of type `multiOptions`, each once, in the order of its names. */
function parseChosen<Name extends string>(
	reader: ParameterReader,
	{ displayName }: INodeProperties,
	given: unknown,
	names: readonly Name[],
): Name[] {
	const isKnown = Array.isArray(given) && given.every((name) => names.includes(name as Name));
	if (isKnown) return names.filter((name) => given.includes(name));
	return reader.refuse(texts.notChosenFrom(displayName, given, names));
}
