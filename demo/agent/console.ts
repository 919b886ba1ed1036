import { addEntry } from './log.js';
import { scenario, type Step } from './scenario.js';

const byId = <Kind extends HTMLElement>(id: string): Kind => document.querySelector(`#${id}`) as Kind;

const [runButton, stepButton, stopButton] = ['run', 'step', 'stop'].map((id) => byId<HTMLButtonElement>(id)) as [
  HTMLButtonElement,
  HTMLButtonElement,
  HTMLButtonElement,
];
const log = byId<HTMLOListElement>('log');

let next = 0;
let running: AbortController | undefined;

const say = (text: string): void => {
  byId('state').textContent = text;
};

function setBusy(isBusy: boolean): void {
  for (const button of [runButton, stepButton]) button.ariaDisabled = String(isBusy);
  stopButton.disabled = !isBusy;
}

/** Runs one step. Resolves with false if the step failed or was stopped. */
async function runStep({ title, run }: Step, signal: AbortSignal): Promise<boolean> {
  const entry = addEntry(log, title);
  const began = performance.now();
  say(`Step ${next + 1} of ${scenario.length}: ${title}.`);
  try {
    await run({ frame: byId<HTMLIFrameElement>('frame'), signal }, entry, say);
    entry.end('done', performance.now() - began);
    return true;
  } catch (error) {
    if (!signal.aborted) entry.note(String(error instanceof Error ? error.message : error));
    entry.end(signal.aborted ? 'stopped' : 'failed', performance.now() - began);
    return false;
  }
}

function startAnew(): void {
  next = 0;
  log.replaceChildren();
}

async function runSteps(last: number, signal: AbortSignal): Promise<string> {
  for (; next < last; next += 1) {
    if (await runStep(scenario[next] as Step, signal)) continue;
    next = scenario.length;
    return signal.aborted ? 'Stopped. Run starts again.' : 'That did not work: see the last step. Run starts again.';
  }
  return next < scenario.length ? `Ready for step ${next + 1} of ${scenario.length}.` : 'Done. Run starts again.';
}

async function start(count: number): Promise<void> {
  if (running) return;
  if (next >= scenario.length) startAnew();
  running = new AbortController();
  setBusy(true);
  const end = await runSteps(Math.min(next + count, scenario.length), running.signal);
  running = undefined;
  setBusy(false);
  say(end);
}

/**
 * The log is beside the site in wide windows. In narrow windows it is below the site, and closed until the user opens
 * it.
 */
const wide = matchMedia('(min-width: 900px)');
const showLog = (): unknown => byId('log-box').toggleAttribute('open', wide.matches);
wide.addEventListener('change', showLog);
showLog();

runButton.addEventListener('click', () => void start(scenario.length));
stepButton.addEventListener('click', () => void start(1));
stopButton.addEventListener('click', () => {
  runButton.focus();
  running?.abort();
});
