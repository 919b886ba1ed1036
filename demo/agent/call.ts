import type { CallError, RegisteredTool } from 'webmcp-forms';
import type { Entry } from './log.js';
import { onWaiting, toolNamed, type SiteFrame } from './site-frame.js';

/** An error of one parameter, from any of the formats that agents receive. */
export type Fault = Pick<CallError, 'parameter' | 'message'> & {
  readonly expected?: Readonly<Record<string, unknown>>;
};

export interface Refused {
  readonly message: string;
  readonly faults: readonly Fault[];
}

/** The result of a call, or the errors that the agent can correct. */
export type Outcome = { readonly answer: unknown } | { readonly refused: Refused };

/** Chromium's native forms name the parameters in the message: `date: Closed.. guests: Too many.. `. */
function faultsIn(message: string): readonly Fault[] {
  const found = message.replace(/^Form validation failed: /, '').matchAll(/([\w-]+): (.*?)\.(?:\. |$)/g);
  return [...found].map(([, parameter = '', text = '']) => ({ parameter, message: text }));
}

function refusal(error: unknown): Refused {
  const { message, errors } = error as Error & { readonly errors?: readonly Fault[] };
  return { message, faults: errors ?? faultsIn(message) };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

/** In browsers with native WebMCP, a tool that a script registers reports its errors in the result. */
const isError = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'isError' in answer && answer.isError === true;

async function execute(tool: RegisteredTool, input: object, signal: AbortSignal): Promise<Outcome> {
  try {
    const answer = parsed(await document.modelContext.executeTool(tool, input, { signal }));
    return isError(answer) ? { refused: refusal(answer) } : { answer };
  } catch (error) {
    signal.throwIfAborted();
    return { refused: refusal(error) };
  }
}

/** Omits long schemas, for the log. */
function shortened({ expected, ...fault }: Fault): Fault {
  return expected && JSON.stringify(expected).length < 160 ? { ...fault, expected } : fault;
}

function report(entry: Entry, outcome: Outcome, milliseconds: number): void {
  const time = `after ${Math.round(milliseconds)} ms`;
  if ('answer' in outcome) return entry.data(`Answer, ${time}`, outcome.answer);
  const { message, faults } = outcome.refused;
  entry.data(`Error, ${time}`, faults.length > 0 ? { message, errors: faults.map(shortened) } : message);
}

export async function call(
  site: SiteFrame,
  entry: Entry,
  name: string,
  input: object,
  onWait?: () => void,
): Promise<Outcome> {
  const tool = await toolNamed(site, name);
  const settled = new AbortController();
  if (onWait) onWaiting(site, settled.signal, onWait);
  entry.data(`Calls ${name} with`, input);
  const began = performance.now();
  const outcome = await execute(tool, input, site.signal).finally(() => settled.abort());
  report(entry, outcome, performance.now() - began);
  return outcome;
}
