import { isCallException, type CallException } from '../../../../src/browser/call/call-error.js';
import { startForms } from '../../../../src/browser/forms/start-forms.js';
import { discoverForms } from '../../../../src/browser/discovery/discover-forms.js';
import type { AwaitUserDetail } from '../../../../src/browser/submission/await-user.js';
import { preventDefault } from '../../../../src/browser/dom/members.js';
import { LazyPart } from '../../../../src/platform/lazy-part.js';
import { listen } from '../../../../src/platform/signals.js';
import type { ToolCall } from '../../../../src/webmcp.js';
import { FrameHost } from './frame-host.js';
import type { FrameMessage, FrameRequest, ParameterMessage } from './messages.js';
import { formsIn } from './read-frame-forms.js';

type Call = Extract<FrameRequest, { readonly kind: 'call' }>;
type Send = (message: FrameMessage) => void;

/** The call that runs, and the form that waits for the user. */
let running = new AbortController();
let waiting: AwaitUserDetail | undefined;

/** Calls the tool of a form as an agent does: through the live forms of the document. */
export async function callTool(request: Call, send: Send): Promise<void> {
  const { id } = request;
  cancelCall();
  running = new AbortController();
  const { signal } = running;
  const onWaiting = (event: Event & { readonly detail?: AwaitUserDetail }): void => {
    preventDefault(event); // the playground has a button that submits the form
    waiting = event.detail;
    send({ kind: 'waiting', id });
  };
  listen(document, 'webmcp-await-user', onWaiting, { signal });
  try {
    send({ kind: 'result', id, result: await run(request, signal) });
  } catch (error) {
    send({ kind: 'error', id, message: messageOf(error), errors: errorsOf(error) });
  } finally {
    if (running.signal === signal) cancelCall();
  }
}

async function run({ form, profile, input }: Call, signal: AbortSignal): Promise<string | null> {
  const element = formsIn(document)[form]?.form;
  if (!element) throw new Error('The form is not in the rendered page.');
  const host = new FrameHost();
  const forms = new LazyPart(() => ({ startForms }));
  // The origin of the frame is opaque.
  const autosubmitOrigins = [document.baseURI];
  discoverForms(document, { host, profile, signal, autosubmitOrigins }, forms);
  const tool = await host.toolOf(element);
  return tool(JSON.parse(input) as object, { signal, ...ignored });
}

const ignored: Omit<ToolCall, 'signal'> = {
  activated: () => undefined,
  canceled: () => undefined,
  leaves: () => undefined,
};

export function cancelCall(): void {
  waiting = undefined;
  running.abort(new DOMException('The call was canceled.', 'AbortError'));
}

/** Submits the form that waits for the user, in place of the user. */
export function submitAsUser(): void {
  const submitter = waiting?.submitter;
  if (submitter instanceof HTMLElement) submitter.click();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const errorsOf = (error: unknown): readonly ParameterMessage[] =>
  isCallException(error)
    ? (error as CallException).errors.map(({ parameter, code, message }) => ({ parameter, code, message }))
    : [];
