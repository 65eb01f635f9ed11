import { contestants } from '../case.mts';

/** What a picture is drawn for: GitHub's light or its dark page. */
export type Scheme = 'light' | 'dark';

export const schemes: Scheme[] = ['light', 'dark'];

/** Colours of all but the series. `page` is only what they are chosen for: pictures have no ground. */
export const inks: Record<Scheme, { page: string; text: string; faint: string; grid: string }> = {
	light: { page: '#ffffff', text: '#1f2328', faint: '#59636e', grid: '#d8dee4' },
	dark: { page: '#0d1117', text: '#f0f6fc', faint: '#9198a1', grid: '#30363d' },
};

/**
 * Blue and orange are told apart with every kind of colour blindness. A contestant that comes in
 * several settings has a shade for each; what belongs to neither has the further colours.
 */
const hues: Record<Scheme, Record<'ours' | 'other' | 'further', string[]>> = {
	light: {
		ours: ['#0072b2', '#00355c', '#4a94c4'],
		other: ['#d55e00', '#803300', '#cc761c'],
		further: ['#008060', '#a4478c', '#6e7781'],
	},
	dark: {
		ours: ['#56b4e9', '#a8dcff', '#2f81b7'],
		other: ['#f0923a', '#ffd0a1', '#c2560c'],
		further: ['#2bb894', '#d98bc4', '#9198a1'],
	},
};

/** A colour for each series: the same one for a contestant in every picture. */
export function colours(series: string[], scheme: Scheme): string[] {
	const { ours, other } = contestants;
	const hueOf = (name: string) =>
		name.startsWith(ours) ? 'ours' : name.startsWith(other) ? 'other' : 'further';
	return series.map((name, index) => {
		const hue = hueOf(name);
		const before = series.slice(0, index).filter((one) => hueOf(one) === hue).length;
		const shades = hues[scheme][hue];
		return shades[before % shades.length];
	});
}

const font = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif';

/** Vega-Lite's settings that all pictures share. Text is 12 px or more. */
export function config(scheme: Scheme) {
	const { text, faint, grid } = inks[scheme];
	return {
		aria: false,
		background: 'transparent',
		font,
		view: { stroke: null },
		title: {
			anchor: 'start',
			frame: 'bounds',
			fontSize: 15,
			fontWeight: 600,
			color: text,
			subtitleColor: faint,
			subtitleFontSize: 12,
			subtitlePadding: 4,
			offset: 12,
		},
		axis: {
			labelColor: text,
			labelFontSize: 12,
			labelLimit: 0,
			labelFlush: false,
			titleColor: faint,
			titleFontSize: 12,
			titleFontWeight: 400,
			titlePadding: 8,
			gridColor: grid,
			domainColor: faint,
			tickColor: faint,
		},
		legend: {
			orient: 'top',
			title: null,
			labelColor: text,
			labelFontSize: 12,
			labelLimit: 0,
			columnPadding: 18,
			rowPadding: 6,
		},
	} as const;
}

/** A title in as many lines as it takes, as Vega would cut it off. @param room pixels */
export function titleLines(title: string, room: number): string[] {
	const lines = [''];
	for (const word of title.split(' ')) {
		const longer = `${lines.at(-1)} ${word}`.trim();
		// The letters are bold, and so a little wider.
		if (lines.at(-1) === '' || textWidth(longer, 15 * 1.08) <= room)
			lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	return lines;
}

/** In how many columns the entries of a legend stand: in one row if they fit. @param room pixels */
export function columns(entries: string[], room: number): number {
	const widths = entries.map((entry) => textWidth(entry, 12) + 40);
	const all = widths.reduce((sum, width) => sum + width, 0);
	return all <= room ? entries.length : Math.max(1, Math.floor(room / Math.max(...widths)));
}

/** Pixels that a text takes in the widest of the usual fonts, or a little less. */
export function textWidth(text: string, fontSize: number): number {
	const ems = [...text].map((letter) =>
		/[ijlftr.,:;'|!()[\] ]/.test(letter) ? 0.36 : /[A-Zmw%@–]/.test(letter) ? 0.78 : 0.58,
	);
	return fontSize * ems.reduce((sum, em) => sum + em, 0);
}
