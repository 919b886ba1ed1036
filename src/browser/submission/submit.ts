import { getter, method } from '../../platform/primordials.js';
import { withoutPrototype } from '../../platform/collections.js';
import { listen, unlisten } from '../../platform/signals.js';
import { nextTask } from '../../platform/tasks.js';
import { answerText } from './result-text.js';
import { callFailure } from '../execution/call-error.js';
import { checkRun, untilEnd, type Run } from '../execution/calls.js';
import { viewOf } from '../dom/dom-tree.js';
import {
  expectSubmit,
  prepareWindow,
  wasPrevented,
  type Answer,
  type ExpectedSubmit,
  type Global,
} from './submit-event.js';

const isConnected = getter<Node, boolean>('Node', 'isConnected');
const requestSubmit = method<Element, [Element | null], void>('HTMLFormElement', 'requestSubmit');

/** Submits a form as a click on its button does, and gives what the page answers. */
export async function submitForm(run: Run, submitter: Element | null): Promise<string | null> {
  const { submit, forget } = expect(run, () => undefined);
  try {
    requestSubmit(run.form.element, submitter);
    run.call.activated();
    return await outcome(run, submit);
  } finally {
    forget();
  }
}

/** Makes the next submit event of the form the answer to a call. */
export function expect(
  run: Run,
  begun: ExpectedSubmit['begun'],
): { readonly submit: ExpectedSubmit; readonly forget: () => void } {
  const { element } = run.form;
  const take = prepareWindow(viewOf(element) as Global);
  const { submit, forget } = expectSubmit(element, (event) => {
    if (event) run.form.settings.answers?.begin(run, event, submit);
    begun(event);
  });
  run.submit = submit;
  listen(element, 'submit', take, withoutPrototype({ capture: true }));
  return {
    submit,
    forget() {
      forget();
      unlisten(element, 'submit', take, withoutPrototype({ capture: true }));
    },
  };
}

/** What came of the submit event, when its dispatch and the microtasks of that are over. */
export async function outcome(run: Run, submit: ExpectedSubmit): Promise<string | null> {
  await (submit.over ?? nextTask());
  if (submit.answer) return textOf(run, submit.answer);
  checkRun(run);
  if (submit.isBypassed) return sent(submit, null);
  if (!submit.event || wasDropped(run, submit))
    throw callFailure('not-submitted', 'The browser did not submit the form.');
  if (!wasPrevented(submit.event)) return sent(submit, run.form.settings.answers?.after(run, submit.event) ?? null);
  throw callFailure(
    'not-answered',
    'The page called preventDefault() on the submit event without also calling respondWith() with the result.',
  );
}

function sent<Result>(submit: ExpectedSubmit, result: Result): Result {
  submit.isSent = true;
  return result;
}

/** A form that its own listener has removed goes nowhere. https://html.spec.whatwg.org/#form-submission-algorithm */
const wasDropped = ({ form }: Run, { event, wasConnected }: ExpectedSubmit): boolean =>
  event !== undefined && !wasPrevented(event) && !wasConnected && !isConnected(form.element);

async function textOf(run: Run, answer: Promise<Answer>): Promise<string> {
  const settled = await untilEnd(run, answer);
  if ('reason' in settled) {
    const { reason } = settled;
    throw callFailure('rejected', `The page rejected its answer${reasonText(reason)}`, { cause: reason });
  }
  try {
    return answerText(settled.value);
  } catch (cause) {
    throw callFailure('not-serializable', 'The answer of the page could not be serialized to JSON.', { cause });
  }
}

function reasonText(cause: unknown): string {
  try {
    const reason: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'message') : cause;
    return `: ${String(reason)}`;
  } catch {
    return '.'; // a reason that cannot be read
  }
}
