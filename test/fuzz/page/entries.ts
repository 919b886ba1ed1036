import { domTree } from '../../../src/browser/dom/dom-tree.js';
import {
  describeForm,
  planInput,
  type ControlDescription,
  type FileValue,
  type JsonValue,
} from '../../../src/compiler/index.js';
import { entryList } from '../../../src/compiler/input/entry-list.js';
import { formState } from '../../../src/compiler/input/form-state.js';
import { setControl } from '../../support/browser/agreement/set-control.js';

interface FormCase {
  readonly html: string;
  readonly inputs: readonly JsonValue[];
}

/** The first difference of each case between the entry list of a description and the browser's. */
export const compare = (cases: readonly FormCase[]): readonly (string | null)[] =>
  cases.map(({ html, inputs }) => {
    for (const input of inputs) {
      const difference = withForm(html, (form) => differenceOf(form, input));
      if (difference !== undefined) return difference;
    }
    return null;
  });

function withForm<Result>(html: string, use: (form: HTMLFormElement) => Result): Result {
  const container = document.createElement('div');
  container.hidden = true;
  container.innerHTML = html;
  document.body.append(container);
  try {
    return use(container.querySelector('form') as HTMLFormElement);
  } finally {
    container.remove();
  }
}

/** Chromium writes the minimum of a range as its attribute does, such as `-1e+3`, so that ranges are compared as numbers. */
function differenceOf(form: HTMLFormElement, input: JsonValue): string | undefined {
  const { description, controls } = describeForm<Node, Element>(domTree, form);
  if (description.controls.some(isNamedColor) || hasSubnormal(input)) return undefined;
  const { steps, errors } = planInput(description, input, { profile: 'precise', sensitive: 'include' });
  if (errors.length > 0) return undefined;
  for (const step of steps) if (step.set !== 'submitter') setControl(controls[step.control] as Element, step);
  const submitter = steps.find(({ set }) => set === 'submitter')?.control;
  const button = submitter === undefined ? null : (controls[submitter] as HTMLElement);
  const ranges = new Set(description.controls.filter(({ type }) => type === 'range').map(({ name }) => name));
  const textIn = (name: string, value: string | File | FileValue): string =>
    ranges.has(name) && typeof value === 'string' ? String(Number(value)) : textOf(value);
  const expected = [...new FormData(form, button)].map(([name, value]) => [name, textIn(name, value)]);
  const actual = entryList(description, formState(description, steps), { submitter }).map(({ name, value }) => [
    name,
    textIn(name, value),
  ]);
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  return one === other
    ? undefined
    : `${JSON.stringify(input).slice(0, 300)} ${one.slice(0, 500)} but the browser has ${other.slice(0, 500)}`;
}

/** Chromium converts any CSS color to its six digits. The compiler has no parser for them. */
const isNamedColor = ({ type, attributes: { value = '#000000' } }: ControlDescription): boolean =>
  type === 'color' && !/^#[\da-f]{6}$/i.test(value);

/** Chromium rounds subnormal numbers. */
const hasSubnormal = (input: JsonValue): boolean =>
  typeof input === 'number' ? input !== 0 && Math.abs(input) < 2 ** -1022 : childrenOf(input).some(hasSubnormal);

const childrenOf = (value: JsonValue): readonly JsonValue[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/**
 * A file is compared by its name and size, because its content can only be read asynchronously. Lone surrogates are
 * replaced, as by the gateway's encodings.
 */
const textOf = (value: string | File | FileValue): string =>
  typeof value === 'string'
    ? value.replace(/\p{Surrogate}/gu, '\ufffd')
    : `file ${value.name} ${value instanceof File ? value.size : atob(value.content).length}`;
