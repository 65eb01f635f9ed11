/** For what doesn't ship. n8n's own configuration, in eslint.config.mjs, is for what does. */
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
	globalIgnores(['.*', 'coverage', 'dist']),
	{
		files: ['**/*.{mts,mjs}'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		rules: {
			// The type check knows the names of Node.js; the page's script has those of the browser.
			'no-undef': 'off',
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
			// The type check finds them.
			'@typescript-eslint/no-unused-vars': 'off',
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
		},
	},
);
