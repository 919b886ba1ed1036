import * as fc from 'fast-check';
import {
  describeForm,
  readForms,
  synthesizeParameters,
  type FormDescription,
  type JsonValue,
} from '../../../src/compiler/index.js';
import { parsePage } from '../../../src/parse5/parse5-tree.js';
import { formContent } from '../../support/browser/agreement/controls.js';
import { inputsOf } from '../../support/browser/agreement/values.js';

/** A form, and inputs for its tool. */
export interface FormCase {
  readonly html: string;
  readonly inputs: readonly JsonValue[];
}

export const pageOf = (content: string, attributes = ''): string =>
  `<!doctype html><form toolname=t tooldescription=d ${attributes}>${content}</form>` +
  '<datalist id=l><option value=abc><option value="2024-03-15"><option value=09:30><option value=7></datalist>';

export function describe(html: string): FormDescription {
  const { tree, document } = parsePage(html);
  const found = readForms(tree, document)[0];
  if (!found) throw new Error('The page has no form.');
  return describeForm(tree, found.form, found.scope).description;
}

const anyInput = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
const long = fc
  .tuple(fc.constantFrom('9', 'a', 'a@b,', '-', 'é', '[', ' '), fc.integer({ min: 100, max: 20_000 }))
  .map(([text, count]) => text.repeat(count));
/** The parts of an input that are not derived from a schema. */
const odd = fc.oneof(
  { weight: 20, arbitrary: anyInput },
  {
    weight: 10,
    arbitrary: fc.constantFrom<JsonValue>(-0, 1e308, 5e-324, '\ud800', '\u0000', '__proto__', { length: 1 }),
  },
  { weight: 1, arbitrary: long },
);

/** Inputs that are derived from the schema, some with one odd member, and some without any relation to it. */
export const inputs = (form: FormDescription, count: number): fc.Arbitrary<readonly JsonValue[]> => {
  const parameters = synthesizeParameters(form, { profile: 'precise' });
  const near = inputsOf(form, parameters) as fc.Arbitrary<Readonly<Record<string, JsonValue>>>;
  const names = [...parameters.map(({ name }) => name), '__proto__', 'x'];
  const withOdd = fc
    .tuple(near, fc.constantFrom(...names), odd)
    .map(([each, name, value]) => Object.fromEntries([...Object.entries(each), [name, value]]));
  const all = fc.oneof<fc.WeightedArbitrary<JsonValue>[]>(
    { weight: 12, arbitrary: near },
    { weight: 4, arbitrary: withOdd },
    { weight: 1, arbitrary: odd },
  );
  return fc.array(all, { minLength: count, maxLength: count });
};

/** @param count - the number of inputs of each form */
export const formCases = (count: number): fc.Arbitrary<FormCase> =>
  formContent.chain((content) => {
    const html = pageOf(content);
    return inputs(describe(html), count).map((each) => ({ html, inputs: each }));
  });
