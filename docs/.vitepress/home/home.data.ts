import { readFileSync } from 'node:fs';
import { compileHtml } from '../../../src/site/compile-html.js';
import { exampleForm } from './example.js';
import { formatJson } from './highlight.js';

interface Claim {
  readonly number: string;
  readonly text: string;
  /** The command that measures it. */
  readonly command: string;
}

export interface HomeData {
  /** The tool of the example, as pages have it. */
  readonly tool: string;
  readonly claims: readonly Claim[];
}

const measurements = readFileSync(new URL('../../measurements.md', import.meta.url), 'utf8');

/** A cell of a table of docs/measurements.md, by the beginning of its row and the head of its column. */
function measured(row: string, column: string): string {
  for (const [table] of measurements.matchAll(/(?:^\|.*\n)+/gm)) {
    const [head = [], , ...rows] = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const cell = rows.find(([, name]) => name?.startsWith(row))?.[head.indexOf(column)];
    if (cell !== undefined && cell !== '') return cell;
  }
  throw new Error(`docs/measurements.md has no row "${row}" with a column "${column}".`);
}

const claims = (): readonly Claim[] => [
  {
    number: `${measured('`webmcp-forms.iife.js`', 'bytes')} bytes`,
    text: 'The script that each visitor loads, with gzip. The rest is loaded when an agent uses the tools.',
    command: 'npm run build',
  },
  {
    number: `${measured('main thread of a load with 100 forms', 'ours')} ms`,
    text: `Added to the main thread while a page with 100 forms is loaded. Native WebMCP adds ${measured('main thread of a load with 100 forms', 'native')} ms.`,
    command: 'node bench/forms.mjs',
  },
  {
    number: measured('submissions equal to the form filled by hand', 'precise'),
    text: `Of the submissions of 25 long forms are equal to the form filled in by hand, with the profile precise. With native WebMCP: ${measured('submissions equal to the form filled by hand', 'native')}.`,
    command: 'node bench/form-factory.mjs FOLDER',
  },
  {
    number: `${measured('Webtools', 'after 1,400')} ms`,
    text: 'Added by the gateway to the request of a form, after 1,400 calls.',
    command: 'node bench/gateway.mjs',
  },
];

function exampleTool(): string {
  const [tool] = compileHtml(exampleForm, { path: 'index.html', profile: 'chromium' }).tools;
  if (!tool) throw new Error('The example of the first page is not a tool.');
  const { name, description, inputSchema } = tool;
  return formatJson({ name, description, inputSchema });
}

declare const data: HomeData;
export { data };

export default {
  watch: ['../../measurements.md'],
  load: (): HomeData => ({ tool: exampleTool(), claims: claims() }),
};
