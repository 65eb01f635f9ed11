import { createHash } from 'node:crypto';
import { fakeTime, leapOn, passUntilDone } from '../lists/time.mts';
import { quickRandom } from '../lists/random.mts';
import { hour, minute } from './time.mts';
import type { Latency } from './service.mts';

/** Something measured, and what it has to be. What has no bound is shown only. */
export interface Figure {
	value: number;
	atMost?: number;
	atLeast?: number;
}

/** What was measured, by its name. */
export type Figures = Record<string, Figure>;

/** One line of a table. */
export interface Cell {
	/** Words that tell it from all others. */
	name: string;
	/** Plays it once. Whatever is left to chance comes from `Math.random`. */
	play(): Promise<Figures>;
	/** Whether `npm test` plays it. */
	isQuick?: boolean;
}

/**
 * Plays a cell once for each seed.
 * @returns the worst of each figure
 */
export async function worstOf(cell: Cell, seeds: number[]): Promise<Figures> {
	const worst: Figures = {};
	for (const seed of seeds) {
		for (const [name, figure] of Object.entries(await played(cell, seed))) {
			worst[name] = worse(worst[name], figure);
		}
	}
	return worst;
}

/** Whether a figure is within its bounds: what was not measured is not. */
export function holds({ value, atMost, atLeast }: Figure): boolean {
	if (atMost !== undefined && !(value <= atMost)) return false;
	return atLeast === undefined || value >= atLeast;
}

async function played({ name, play }: Cell, seed: number): Promise<Figures> {
	fakeTime();
	// Far enough that nothing is remembered of what was played before.
	leapOn(hour, 0);
	Math.random = quickRandom(createHash('sha256').update(`${seed} ${name}`).digest().readInt32BE());
	return await passUntilDone(play());
}

function worse(one: Figure | undefined, other: Figure): Figure {
	if (!one) return other;
	const isLess = other.value < one.value;
	return isLess === (other.atLeast !== undefined) ? other : one;
}

/**
 * The least time, in ms, in which so many requests can be made by somebody who is never refused,
 * however the service counts. It may count a request at any moment from its sending to its answer
 * and counts it for a minute, so a request holds its place from its sending until a minute after
 * its answer, and each place is free again after a minute and the latency.
 */
export function leastTime(requests: number, allowance: number, latency: Latency): number {
	const mean = latency.isConstant ? latency.most : latency.most / 2;
	return Math.floor((requests - 1) / allowance) * (minute + mean) + mean;
}

/** The value that so large a part of all does not exceed, from 0 to 1. */
export function quantile(values: number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.ceil(part * sorted.length) - 1];
}
