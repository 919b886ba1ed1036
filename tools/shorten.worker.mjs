import { parentPort, workerData } from 'node:worker_threads';
import { minify } from 'terser';

const { code, map } = workerData;
const sourceMap = { content: map, includeSources: true };
parentPort.postMessage(await minify(code, { compress: { ecma: 2022 }, ecma: 2022, sourceMap }));
