import { limits } from '../limits.js';
import type { ComparedForm, Comparison, Difference } from '../reading.js';

/** Compares the forms of parse5 with those of the frame, whose shape is unknown. */
export function compareForms(parse5: readonly ComparedForm[], dom: unknown): Comparison {
  const forms: readonly unknown[] = Array.isArray(dom) ? dom : [];
  return parse5.map((form, index) => {
    const differences: Difference[] = [];
    for (const difference of differencesOf(form, forms[index], '')) {
      if (differences.push(difference) >= limits.differences) break;
    }
    return differences;
  });
}

function* differencesOf(parse5: unknown, dom: unknown, path: string): Generator<Difference> {
  if (!isObject(parse5) || !isObject(dom) || Array.isArray(parse5) !== Array.isArray(dom)) {
    if (parse5 !== dom) yield { path, parse5: textOf(parse5), dom: textOf(dom) };
    return;
  }
  for (const key of new Set([...Object.keys(parse5), ...Object.keys(dom)])) {
    yield* differencesOf(memberOf(parse5, key), memberOf(dom, key), path === '' ? key : `${path}.${key}`);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const memberOf = (object: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const textOf = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 200));
