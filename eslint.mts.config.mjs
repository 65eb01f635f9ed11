/** For what doesn't ship. n8n's own configuration, in eslint.config.mjs, is for what does. */
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** What scripts have without an import: Node.js's, and that of the sandbox's page. */
const given =
	'console document DOMParser exports fetch FormData location module process require setInterval URL';

export default defineConfig(
	globalIgnores(['.*', 'coverage', 'dist']),
	{
		files: ['**/*.{mts,mjs,js}'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		languageOptions: {
			globals: Object.fromEntries(given.split(' ').map((name) => [name, 'readonly'])),
		},
		rules: {
			// What ships is CommonJS, and tests load it.
			'@typescript-eslint/no-require-imports': 'off',
			// Workflows, and what n8n and the service return, have no types.
			'@typescript-eslint/no-explicit-any': 'off',
		},
	},
	{
		files: ['**/*.mts'],
		languageOptions: { parserOptions: { project: 'test/tsconfig.json' } },
		rules: {
			// The type check finds both.
			'no-undef': 'off',
			'@typescript-eslint/no-unused-vars': 'off',
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
		},
	},
);
