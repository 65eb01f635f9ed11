import { expect, test } from '@jest/globals';
import { Expression, type IWorkflowDataProxyData } from 'n8n-workflow';
import { withTokensKept } from '../../nodes/CrmWorkspace/operations/sendTransactionalEmail/tokensInExpression';

/** What n8n's own engine makes of an expression, for an item that has a `name`. */
function evaluated(expression: string): unknown {
	const item = { $json: { name: 'Ada' } } as unknown as IWorkflowDataProxyData;
	return new Expression('UTC').resolveSimpleParameterValue(`=${expression}`, item);
}

// Interface: SEND-12, SEND-17.
test.each([
	['{{name}}'],
	['{{ name }}'],
	['{{\n\tname\n}}'],
	['{{name|there}}'],
	['{{name|}}'],
	['{{name | my "dear" friend, \'you\' / $1 $& }}'],
	['{{first_name}} {{first-name}} {{name2}} {{_name}} {{größe|Ä}}'],
	['{{contact.name}} {{orders[0].id|none}} {{contact.first-name}}'],
	['{{constructor}} {{toString}} {{__proto__|x}}'],
	['{{class}} {{new}} {{default|x}} {{function}}'],
	['{{Number}} {{Date|today}} {{Math}} {{this}} {{Duration}}'],
	['{{min}} {{isEmpty}} {{extend}}'],
	['{{1}} {{ 2|there }} {{1st}}'],
	['<p>{{a}}{{b}}</p>\n{{a}}'],
])('stays as it is written: %j', (written) => {
	const { expression, tokens } = withTokensKept(written);
	expect(evaluated(expression)).toBe(written);
	expect(tokens).toEqual([...new Set(written.match(/\{\{[^}]*\}\}/g))]);
});

test.each([
	['nothing in braces', 'nothing in braces'],
	['{{ $json.name }}', 'Ada'],
	['{{$json.name}} and {{ $json.name.length }}', 'Ada and 3'],
	['{{ "name" }}', 'name'],
	['{{ undefined || "there" }}', 'there'],
	['{{ $json.nobody || null }}', null],
	['{{ null }}', null],
	['{{ true }}', true],
	['{{ NaN }}', NaN],
	['{{ Infinity }}', Infinity],
	['{{ Math.PI }}', Math.PI],
	['{{ Math.PI | 0 }}', 3],
	['{{ Number.MAX_SAFE_INTEGER }}', Number.MAX_SAFE_INTEGER],
	['{{ JSON.stringify([1]) }}', '[1]'],
	['{{ [1, 2].map((one) => one + 1).join() }}', '2,3'],
	['{{ "{{" }}name}}', '{{name}}'],
	['{{ "{" + "{name|there}" + "}" }}', '{{name|there}}'],
	['\\{{name}}', '\\{{name}}'],
])('is left to n8n: %j', (written, result) => {
	expect(withTokensKept(written)).toEqual({ expression: written, tokens: [] });
	expect(evaluated(written)).toEqual(result);
});

test('tokens and expressions of n8n stand side by side', () => {
	const written = '<p>Hello {{firstName|there}}, {{ $json.name }}: {{orderNumber}}</p>';
	const { expression, tokens } = withTokensKept(written);
	expect(evaluated(expression)).toBe('<p>Hello {{firstName|there}}, Ada: {{orderNumber}}</p>');
	expect(tokens).toEqual(['{{firstName|there}}', '{{orderNumber}}']);
});
