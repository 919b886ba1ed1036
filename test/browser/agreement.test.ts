import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import type { ControlDescription, DescribedForm, JsonValue } from '../../src/compiler/index.js';
import { formContent } from '../support/browser/agreement/controls.js';
import { browserExceptions } from '../support/browser/agreement/browser-exceptions.js';
import type { Exception, Subject } from '../support/browser/agreement/exception.js';
import { formAccepts } from '../support/browser/agreement/form-accepts.js';
import { lacksType, toolOf, withForm, type LiveForm, type Tool } from '../support/browser/agreement/live-form.js';
import { schemaExceptions } from '../support/browser/agreement/schema-exceptions.js';
import { inputsOf, type Input } from '../support/browser/agreement/values.js';
import { engine } from '../support/browser/parser-differences.js';

interface Check {
  readonly html: string;
  readonly input: Input;
  readonly schema: boolean;
  readonly form: boolean;
  /** Whether `portable` rejects input that `precise` accepts. */
  readonly narrower: boolean;
  /** The reason of a known difference. */
  readonly exception: Exception | undefined;
}

function check(html: string, described: LiveForm, precise: Tool, portable: Tool, input: Input): Check {
  const schema = precise.accepts(input);
  const form = formAccepts(described, precise.parameters, input);
  const exception = schema === form ? undefined : exceptionFor(subjectsOf(described, precise, input), schema);
  return {
    html,
    input,
    schema,
    form,
    narrower: schema && !portable.accepts(renamed(input, precise, portable)),
    exception,
  };
}

const renamed = (input: Input, precise: Tool, portable: Tool): Input =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const index = precise.parameters.findIndex((parameter) => parameter.name === name);
      return [portable.parameters[index]?.name ?? name, value];
    }),
  );

function subjectsOf(form: DescribedForm<Element>, { parameters }: Tool, input: Input): readonly Subject[] {
  return parameters.flatMap(({ name, units, schema: { description = '' } }) => {
    const inputValue = Object.hasOwn(input, name) ? input[name] : undefined;
    return units.map((unit, index) => ({
      control: form.description.controls[unit.controls[0] as number] as ControlDescription,
      element: form.controls[unit.controls[0] as number] as Element,
      value: units.length === 1 ? inputValue : (inputValue as readonly JsonValue[] | undefined)?.[index],
      description,
    }));
  });
}

const exceptions: readonly Exception[] = [...schemaExceptions, ...browserExceptions];

const isListedFor = ({ engines }: Exception): boolean => engines?.includes(engine) ?? true;

const exceptionFor = (subjects: readonly Subject[], schema: boolean): Exception | undefined =>
  exceptions.find(
    (each) => each.schema.includes(schema ? 'accepts' : 'rejects') && isListedFor(each) && subjects.some(each.explains),
  );

const checksOf = (
  html: string,
  inputs: (form: DescribedForm<Element>, tool: Tool) => readonly Input[],
): readonly Check[] =>
  withForm(html, (form) => {
    if (lacksType(form)) return [];
    const [precise, portable] = [toolOf(form, 'precise'), toolOf(form, 'portable')];
    return inputs(form, precise).map((input) => check(html, form, precise, portable, input));
  });

const randomChecks = (seed: number, forms: number): readonly Check[] =>
  fc
    .sample(formContent, { seed, numRuns: forms })
    .flatMap((html, index) =>
      checksOf(html, ({ description }, { parameters }) =>
        fc.sample(inputsOf(description, parameters), { seed: seed + index, numRuns: 8 }),
      ),
    );

const show = ({ html, input, schema }: Check): string =>
  `the schema ${schema ? 'accepts' : 'rejects'} ${JSON.stringify(input).slice(0, 300)} for ${html.slice(0, 600)}`;

/** Several seeds, because all checks of a form that a schema cannot express fail together. */
const seeds = [42, 1042, 2042, 3042];

describe('the profile precise', () => {
  const checks: Check[] = [];

  for (const seed of seeds) {
    before(() => {
      checks.push(...randomChecks(seed, 600));
    });
  }

  it('accepts exactly what the form accepts', () => {
    const measured = checks.filter(({ exception }) => !exception?.isLeftOut);
    const count = (test: (check: Check) => boolean): number => measured.filter(test).length;
    const accepted = count(({ form }) => form);
    const falseAcceptances = count(({ schema, form }) => schema && !form);
    const falseRefusals = count(({ schema, form }) => !schema && form);
    console.log(
      `${engine}: ${measured.length} of ${checks.length} checks, ${accepted} accepted by the form, ${falseAcceptances} false acceptances, ${falseRefusals} false refusals`,
    );
    expect(accepted / measured.length).to.be.above(0.4);
    expect((falseAcceptances + falseRefusals) / measured.length).to.be.at.most(0.015);
    expect(falseRefusals / measured.length).to.be.at.most(0.0005);
  });

  it('differs from the form for listed reasons only', () => {
    const unexplained = checks.filter(({ schema, form, exception }) => schema !== form && !exception);
    expect(unexplained.map(show)).to.deep.equal([]);
  });

  it('accepts no more than the profile portable', () => {
    expect(checks.filter(({ narrower }) => narrower).map(show)).to.deep.equal([]);
  });

  for (const exception of exceptions) {
    it(`differs from the form as listed: ${exception.reason}`, () => {
      const [html, input] = exception.example;
      const disagreements = checksOf(html, () => [input]).filter(({ schema, form }) => schema !== form);
      expect(disagreements.map((each) => each.exception?.reason)).to.deep.equal(
        isListedFor(exception) ? [exception.reason] : [],
      );
    });
  }
});
