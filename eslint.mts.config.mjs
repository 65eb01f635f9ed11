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
			// The type check finds both, and knows the names of Node.js and of the browser.
			'no-undef': 'off',
			'@typescript-eslint/no-unused-vars': 'off',
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
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
		},
	},
);
