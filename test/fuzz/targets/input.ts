import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  planInput,
  synthesizeTool,
  type FormDescription,
  type JsonValue,
  type ProfileName,
} from '../../../src/compiler/index.js';
import { entryList } from '../../../src/compiler/input/entry-list.js';
import { formState } from '../../../src/compiler/input/form-state.js';
import { describe, formCases, type FormCase } from '../generators/inputs.js';
import { hold, sequential, type Target } from '../target.js';

/** Input to steps: what a schema accepts can be filled in, and everything else is rejected with a listed error. */
export const input: Target<FormCase> = {
  name: 'input',
  cases: formCases(4),
  batch: 250,
  open: () => Promise.resolve(sequential(check)),
};

const profiles: readonly ProfileName[] = ['precise', 'portable', 'chromium'];

const listed: ReadonlySet<string> = new Set([
  ...['invalid-input', 'unknown-parameter', 'wrong-type', 'wrong-count', 'not-offered', 'duplicate-value', 'not-kept'],
]);

/** Phrases in descriptions for limits and notations of dates that keywords of the schema do not express. */
const stated: Readonly<Record<ProfileName, RegExp>> = {
  precise: /In steps of|adds the options|as YYYY/,
  portable: /In steps of|[Mm]ultiple of|Unique values|adds the options|as YYYY|One value for each of/,
  chromium: /^/,
};

const maxMessageLength = 3000;

function check({ html, inputs }: FormCase): void {
  const form = describe(html);
  const compiled = html.length % 2 === 0 ? 'precise' : 'portable'; // compiling takes most of the time
  const validate = compile(form, compiled);
  for (const profile of profiles) {
    for (const each of inputs) checkInput(form, each, profile, profile === compiled ? validate : undefined);
  }
}

const ajv = new Ajv2020({ strict: true });
formats.default(ajv);

function compile(form: FormDescription, profile: ProfileName): ValidateFunction {
  const { inputSchema } = synthesizeTool(form, { profile, sensitive: 'include' });
  try {
    return ajv.compile(inputSchema);
  } catch (error) {
    return hold(false, 'a schema compiles in Ajv strict', `${String(error)} ${JSON.stringify(inputSchema)}`) as never;
  } finally {
    ajv.removeSchema(inputSchema);
  }
}

function checkInput(form: FormDescription, value: JsonValue, profile: ProfileName, validate?: ValidateFunction): void {
  const { steps, errors } = planInput(form, value, { profile, sensitive: 'include' });
  for (const { code, message } of errors) {
    hold(listed.has(code), 'an error has a listed code', code);
    hold(message.length < maxMessageLength, 'a message is bounded', message);
  }
  if (validate?.(value)) {
    const unexpected = errors.filter(({ expected: { description = '' } }) => !stated[profile].test(description));
    const details = JSON.stringify({ value, unexpected });
    hold(unexpected.length === 0, `${profile} accepts only what can be filled in, or states the limit`, details);
  }
  if (errors.length > 0) return;
  const submitter = steps.find(({ set }) => set === 'submitter')?.control;
  for (const { name, value: sent } of entryList(form, formState(form, steps), { submitter })) {
    hold(
      typeof name === 'string' && (typeof sent === 'string' || typeof sent.content === 'string'),
      'an entry is text or a file',
    );
  }
}
