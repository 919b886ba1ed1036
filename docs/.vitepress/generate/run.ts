import { writePages } from './write-pages.js';

await writePages(process.argv.includes('--check'));
