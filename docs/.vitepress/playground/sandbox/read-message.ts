import type { FrameMessage, ParameterMessage, SentEntry, Submission } from '../frame/messages.js';
import { limits } from '../limits.js';

type Fields = Readonly<Record<string, unknown>>;

const maxItems = limits.entries;

/** The length of the forms' JSON text that is compared. */
const maxFormsLength = 20_000_000;

/** Reads a message of the frame, which may be hostile. Texts and lists are cut. */
export function readMessage(value: unknown): FrameMessage | undefined {
  if (!isFields(value)) return undefined;
  const id = typeof value.id === 'number' ? value.id : -1;
  switch (value.kind) {
    case 'ready':
      return { kind: 'ready' };
    case 'shown':
      return typeof value.forms === 'string' && value.forms.length <= maxFormsLength
        ? { kind: 'shown', id, forms: value.forms, count: Number(value.count) }
        : undefined;
    case 'blocked':
      return { kind: 'blocked', what: text(value.what).slice(0, 300) };
    case 'submission':
      return { kind: 'submission', submission: submissionOf(value.submission) };
    case 'waiting':
    case 'pong':
      return { kind: value.kind, id };
    case 'result':
      return { kind: 'result', id, result: value.result === null ? null : text(value.result) };
    case 'error':
      return { kind: 'error', id, message: text(value.message), errors: items(value.errors).map(errorOf) };
    default:
      return undefined;
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const fields = (value: unknown): Fields => (isFields(value) ? value : {});

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, limits.text) : '');

const items = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.slice(0, maxItems).map((each) => fields(each)) : [];

function submissionOf(value: unknown): Submission {
  const { method, action, enctype, entries, isHandled } = fields(value);
  return {
    isHandled: isHandled === true,
    method: text(method),
    action: text(action),
    enctype: text(enctype),
    entries: items(entries).map(entryOf),
  };
}

const entryOf = ({ name, value }: Fields): SentEntry => ({ name: text(name), value: text(value) });

const errorOf = ({ parameter, code, message }: Fields): ParameterMessage => ({
  parameter: text(parameter),
  code: text(code),
  message: text(message),
});
