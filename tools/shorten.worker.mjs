import { parentPort, workerData } from 'node:worker_threads';
import { minify } from 'terser';

const { code, map } = workerData;
const sourceMap = { content: map, includeSources: true };
const format = { ascii_only: true }; // a browser reads the script of a page in the encoding of the page
parentPort.postMessage(await minify(code, { compress: { ecma: 2022 }, ecma: 2022, format, sourceMap }));
