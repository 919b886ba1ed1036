import { isRecord, type JsonRecord } from '../../json.js';
import { mapTexts, visibleText } from '../../visible-text.js';
import type { WebtoolAction } from '../metadata.js';

/** An action without invisible characters, and a function that restores the original strings in a request. */
interface VisibleAction {
  readonly action: WebtoolAction;
  readonly restore: (request: object) => object;
}

/** Removes the invisible characters of an action, whose schema the model sees and fills in. */
export function visibleAction(action: WebtoolAction): VisibleAction {
  const { title, requestSchema, responseSchema } = action;
  const sent = new Map<string, string>();
  collectTexts(requestSchema, sent);
  const isUnchanged = [...sent].every(([visible, text]) => visible === text);
  const visible: WebtoolAction = {
    ...action,
    ...(title !== undefined && { title: visibleText(title) }),
    description: visibleText(action.description),
    requestSchema: mapTexts(requestSchema, visibleText) as JsonRecord,
    ...(responseSchema && { responseSchema: mapTexts(responseSchema, visibleText) as JsonRecord }),
  };
  const restore = (request: object): object => mapTexts(request, (text) => sent.get(text) ?? text) as object;
  return { action: visible, restore: isUnchanged ? (request) => request : restore };
}

const withValues: ReadonlySet<string> = new Set(['enum', 'const', 'required']);

/** Collects the names and values that a request may contain, by their visible text. Of equal strings, the first one wins. */
function collectTexts(schema: unknown, sent: Map<string, string>, isValue = false): void {
  const add = (text: string): void => {
    if (!sent.has(visibleText(text))) sent.set(visibleText(text), text);
  };
  if (isValue && typeof schema === 'string') add(schema);
  if (Array.isArray(schema)) for (const each of schema) collectTexts(each, sent, isValue);
  if (!isRecord(schema)) return;
  for (const [name, each] of Object.entries(schema)) {
    add(name);
    collectTexts(each, sent, isValue || withValues.has(name));
  }
}
