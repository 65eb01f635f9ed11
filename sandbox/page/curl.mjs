// @ts-check

/**
 * A request as a command for the shell. The key is left to a variable.
 * @param {string} baseUrl where the service is
 * @param {{method: string, path: string, query: unknown, key: string | null, body?: unknown}} request
 * @returns {string}
 */
export function curlFor(baseUrl, { method, path, query, key, body }) {
	const search = searchFrom(query);
	const lines = [`curl -i -X ${method} ${quoted(baseUrl + path + search)}`];
	if (key) lines.push('-H "Authorization: Bearer $KEY"');
	if (body === undefined) return lines.join(' \\\n  ');
	lines.push("-H 'Content-Type: application/json'", "--data-binary @- <<'JSON'");
	return `${lines.join(' \\\n  ')}\n${visible(JSON.stringify(body))}\nJSON`;
}

/** @param {unknown} query texts by name; a name that came several times has a list */
function searchFrom(query) {
	const pairs = Object.entries(Object(query)).flatMap(([name, value]) =>
		[value].flat().map((one) => [name, String(one)]),
	);
	return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}

/** @param {string} text */
function quoted(text) {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * JSON that means the same and has no character that a terminal would obey instead of showing it.
 * It is one line, so it cannot end the text it stands in either.
 * @param {string} json
 */
function visible(json) {
	return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
		Array.from({ length: character.length }, (_, index) => {
			const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
			return `\\u${unit}`;
		}).join(''),
	);
}
