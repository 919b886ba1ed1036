import { parentPort, workerData } from 'node:worker_threads';
import { minify } from 'terser';

const format = { ascii_only: true }; // a browser reads the script of a page in the encoding of the page
const { code } = await minify(workerData, { compress: { ecma: 2022 }, ecma: 2022, format });
parentPort.postMessage(code);
