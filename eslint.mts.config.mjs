/** For what doesn't ship. n8n's own configuration, in eslint.config.mjs, is for what does. */
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(globalIgnores(['.*', 'coverage', 'dist']), {
	files: ['**/*.{mts,mjs,js}'],
	extends: [js.configs.recommended, tseslint.configs.recommended],
});
