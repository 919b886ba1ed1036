// Reads a large page in a thread and does not close the reader. Ends by itself.
import { createPageReader } from '../../../gateway/src/node/index.js';
import { patient, toolOf } from './calls.js';
import { submitForm } from '../../../gateway/src/index.js';

const [, , html = '', pageUrl = ''] = process.argv;
const options = { tool: toolOf(html), pageUrl, input: { q: 'x' }, allowPrivateAddresses: true, limits: patient };
const { text } = await submitForm({ ...options, pageReader: createPageReader() });
console.log(text);
