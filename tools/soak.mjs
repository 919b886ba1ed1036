// npm run soak: a page and a gateway under load for a long time. Not part of npm test.
import { fail, readOptions } from './run.mjs';
import { soakGateway } from '../test/soak/gateway/soak.mjs';

const usage =
  'npm run soak -- [--part page|gateway] [--minutes N] [--clients N] [--calls N] [--browser chromium|firefox] [--seed N]';

const options = {
  part: { type: 'string' },
  minutes: { type: 'string' },
  clients: { type: 'string', default: '50' },
  calls: { type: 'string' },
  browser: { type: 'string', default: 'chromium' },
  seed: { type: 'string', default: '1' },
};

const parts = {
  async page(values) {
    const { soakPage } = await import('../test/soak/page/soak.mjs');
    return await soakPage(values);
  },
  gateway: soakGateway,
};

function parse() {
  const { part, browser, ...texts } = readOptions(options, usage);
  if (part !== undefined && !Object.hasOwn(parts, part)) throw new Error(`--part ${part} is unknown.\nUsage: ${usage}`);
  const numbers = Object.entries(texts).map(([name, text]) => [name, Number(text)]);
  const [wrong] = numbers.filter(([, number]) => !(number > 0));
  if (wrong) throw new Error(`--${wrong[0]} is not a positive number.\nUsage: ${usage}`);
  return { part, browser, ...Object.fromEntries(numbers) };
}

let current;

async function soak() {
  const { part, ...values } = parse();
  const began = performance.now();
  let isOk = true;
  for (current of part ? [part] : Object.keys(parts))
    isOk = (await parts[current]({ ...values, signal: interruption.signal })) && isOk;
  const minutes = (performance.now() - began) / 60_000;
  console.log(`${isOk ? 'No limit was exceeded' : 'A limit was exceeded'} in ${minutes.toFixed(1)} minutes.`);
  process.exitCode = isOk ? 0 : 1;
}

/** The first interruption ends the work of the page, and prints its results so far. */
const interruption = new AbortController();
process.on('SIGINT', () => {
  if (interruption.signal.aborted || current !== 'page') process.exit(130);
  interruption.abort();
});
process.on('SIGTERM', () => process.exit(143));
await soak().catch(fail);
