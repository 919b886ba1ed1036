import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const demo = fileURLToPath(new URL('demo/', import.meta.url));
const pages = readdirSync(demo).filter((file) => file.endsWith('.html'));

export default defineConfig({
  root: demo,
  appType: 'mpa',
  build: {
    outDir: '../demo-dist',
    emptyOutDir: true,
    rolldownOptions: { input: pages.map((page) => demo + page) },
  },
});
