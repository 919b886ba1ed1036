// The transforms of the browser tests. They are here because their packages are those of test/package.json.
import { compile, compileModule } from 'svelte/compiler';

export { esbuildPlugin } from '@web/dev-server-esbuild';

export const sveltePlugin = {
  name: 'svelte',
  transform(code, filename) {
    if (filename.endsWith('.svelte')) return compile(code, { filename }).js;
    return /\.svelte\.[jt]s$/.test(filename) ? compileModule(code, { filename }).js : undefined;
  },
};
