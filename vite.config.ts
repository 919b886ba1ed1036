import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { osteria } from './demo/server/plugin.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const demo = at('demo/');
const pages = readdirSync(demo).filter((file) => file.endsWith('.html'));

export default defineConfig({
  root: demo,
  appType: 'mpa',
  cacheDir: at('.cache/vite'),
  server: {
    fs: {
      allow: ['demo', 'dist', 'elements', 'src', 'node_modules', '.cache/vite'].map(at),
      deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/*.sqlite*', '**/*.sqlite*/**', '**/demo/server/**'],
    },
  },
  plugins: [
    osteria({
      pages: demo,
      dist: at('dist'),
      database: process.env.OSTERIA_DB ?? at('.cache/osteria.sqlite'),
    }),
  ],
  resolve: {
    alias: [
      { find: 'webmcp-forms/elements', replacement: at('dist/elements/index.js') },
      { find: 'webmcp-forms/polyfill', replacement: at('dist/polyfill/index.js') },
      { find: /^webmcp-forms$/, replacement: at('dist/index.js') },
      { find: /^vue$/, replacement: 'vue/dist/vue.esm-bundler.js' },
    ],
  },
  optimizeDeps: {
    include: ['lit', 'lit/directives/guard.js', 'lit/directives/live.js', 'lit/directives/repeat.js'],
  },
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  build: {
    outDir: '../demo-dist',
    emptyOutDir: true,
    rolldownOptions: { input: pages.map((page) => demo + page) },
  },
});
