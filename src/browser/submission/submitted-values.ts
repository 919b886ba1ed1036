import type { ExecuteStep } from '../../compiler/input/plan-input.js';
import { hasSensitive, redacted, type ParameterError } from '../../compiler/input/parameter-error.js';
import { collapseWhitespace } from '../../compiler/html/text.js';
import { controlsOf, type Parameter } from '../../compiler/parameters/parameters.js';
import { preview } from '../../compiler/preview.js';
import { parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { SafeMap, SafeSet } from '../../platform/collections.js';
import { domTree } from '../dom/dom-tree.js';
import { inputType } from '../dom/members.js';
import { isSubmittedValue } from '../call/editors.js';
import { expectedSchema, type FormReading } from '../call/plan-fill.js';
import type { RunningCall } from '../call/running-call.js';
import { isAnyOf, outcomeOfText, type ValueOutcome } from '../call/value-outcome.js';
import type { Note } from './advice.js';
import {
  choicesOf,
  groupByName,
  isChoice,
  isCopy,
  isInput,
  readValues,
  type FilledValue,
  type ValuesByName,
} from './form-values.js';

interface Entry {
  readonly name: string;
  readonly text: string;
  readonly isFile: boolean;
}

interface FilledParameter {
  readonly parameter: Parameter;
  /** The names under which its values are submitted. */
  readonly names: readonly string[];
  readonly isSecret: boolean;
}

/** The values of a call, to be compared with the entry list that the form submits. */
export class FilledValues {
  readonly #call: RunningCall;
  readonly #input: JsonValue;
  readonly #reading: FormReading;
  /** The values before the call. */
  readonly #before: ValuesByName;
  readonly #parameters: readonly FilledParameter[];
  /** All values that the choices of a name offer. */
  readonly #choices: ReadonlyMap<string, readonly string[]>;
  #filled: ValuesByName;

  constructor(call: RunningCall, input: JsonValue, reading: FormReading, before: ValuesByName) {
    this.#call = call;
    this.#input = input;
    this.#reading = reading;
    this.#before = before;
    this.#parameters = filledParameters(call, reading);
    this.#choices = groupByName(call, (control) => choicesOf(control));
    this.#filled = readValues(call);
  }

  /** Reads the form again, because the user or the page may have changed the values since. Returns notes about changes. */
  readAgain(): readonly Note[] {
    const before = this.#filled;
    this.#filled = readValues(this.#call);
    const textsOf = (values: ValuesByName, name: string): readonly string[] =>
      (values.get(name) ?? []).map(({ text }) => text);
    return this.#parameters.flatMap(({ parameter: { name }, names, isSecret }) => {
      const texts = names.flatMap((each) => textsOf(this.#filled, each));
      const hadOther = names.flatMap((each) => textsOf(before, each)).join('\n') !== texts.join('\n');
      const value =
        isSecret || texts.length === 0 ? '' : ` It is ${preview(texts.length === 1 ? (texts[0] as string) : texts)}.`;
      const message = `The value of ${preview(name)} was changed before the user submitted the form.${value}`;
      return hadOther ? { parameter: name, message } : [];
    });
  }

  /** The name of each field with an empty value, and with each of its values. */
  entries(): readonly (readonly [name: string, value: string])[] {
    return [...this.#filled].flatMap(([name, values]) =>
      ['', ...values.map(({ text }) => text)].map((text) => [name, text] as const),
    );
  }

  /** Hides the values of sensitive controls in page text, including controls that the user has filled in. */
  redact(text: string): string {
    const { description, controls } = this.#reading;
    const secrets = controls.filter((_, index) => description.controls[index]?.sensitive);
    const names = new SafeSet(secrets.map((control) => domTree.attribute(control, 'name') ?? ''));
    return [...names]
      .flatMap((name) =>
        (this.#filled.get(name) ?? []).flatMap((value) => [value.text, collapseWhitespace(value.text)]),
      )
      .filter((value) => value !== '')
      .sort((a, b) => b.length - a.length) // a value may contain another value
      .reduce((rest, value) => rest.replaceAll(value, redacted), text);
  }

  /**
   * Returns an error for each value that the page has replaced or removed, and a note for each value in another format.
   *
   * @param isSent - whether the entry list has already left the page
   */
  compare(
    data: FormData,
    isSent: boolean,
  ): { readonly lost: readonly ParameterError[]; readonly notes: readonly Note[] } {
    const entries = entriesOf(data);
    const given = new SafeSet(this.#parameters.flatMap(({ names }) => names));
    const lost: ParameterError[] = [];
    const notes: Note[] = [];
    for (const { parameter, names, isSecret } of this.#parameters) {
      for (const name of names) {
        const fate = this.#fateOf(name, entries, given, isSecret);
        if (fate === 'lost') lost.push(this.#error(parameter, sentTexts(entries, name), isSecret, isSent));
        if (fate === 'rewritten') notes.push(noteOf(parameter, sentTexts(entries, name)));
      }
    }
    return { lost, notes };
  }

  /**
   * Returns notes about the values that the page has changed, according to the current state of the controls.
   *
   * @param isAnswered - whether the page has answered. Such a page may have read the values before it emptied or reset them
   */
  compareShown(isAnswered: boolean): readonly Note[] {
    const shown = readValues(this.#call);
    const entries = [...shown].flatMap(([name, values]) => values.map(({ text }) => ({ name, text, isFile: false })));
    const given = new SafeSet(this.#parameters.flatMap(({ names }) => names));
    return this.#parameters.flatMap(({ parameter, names, isSecret }) =>
      names.flatMap((name) => {
        const fate = this.#fateOf(name, entries, given, isSecret);
        const texts = sentTexts(entries, name);
        const before = (this.#before.get(name) ?? []).map(({ text }) => text);
        const isReset = texts.every((text) => text === '' || before.includes(text));
        // A name without values may belong to a disabled control.
        if (fate === 'kept' || (isReset && (isAnswered || texts.length === 0))) return [];
        if (fate === 'rewritten') return noteOf(parameter, texts);
        const message = (isReset ? resetOf : changeOf)(parameter.name, isSecret ? undefined : texts);
        return { parameter: parameter.name, message };
      }),
    );
  }

  #fateOf(name: string, entries: readonly Entry[], given: ReadonlySet<string>, isSecret: boolean): ValueOutcome {
    const filled = this.#filled.get(name) ?? [];
    const { settings } = this.#call.form;
    const { extra, rest } = withoutEqual(
      entries.filter((entry) => entry.name === name),
      filled,
    );
    const missing = rest.filter(({ control, text }) => {
      const index = extra.findIndex((entry) => isSubmittedValue(settings, control, entry.text, text));
      return index < 0 || extra.splice(index, 1).length === 0;
    });
    const choices = new SafeSet(extra.length > 0 ? this.#choices.get(name) : []);
    for (const { text } of filled) choices.delete(text);
    const isOtherChoice = (text: string): boolean => choices.has(text);
    const hasOtherChoice = extra.some(({ text }) => isOtherChoice(text));
    if (missing.length === 0) return hasOtherChoice ? 'lost' : 'kept';
    const textsBefore = (each: string): readonly string[] => (this.#before.get(each) ?? []).map(({ text }) => text);
    const isNew = (entry: Entry): boolean => entry.text === '' || !textsBefore(entry.name).includes(entry.text);
    const elsewhere = entries.filter((entry) => !given.has(entry.name) && isNew(entry));
    const before = textsBefore(name);
    const fates = missing.map((value) =>
      hasOtherChoice && isChoice(value.control) ? 'lost' : fateOfValue(value, { extra, elsewhere, before, isSecret }),
    );
    return (['lost', 'rewritten'] as const).find((fate) => fates.includes(fate)) ?? 'kept';
  }

  #error(parameter: Parameter, sent: readonly string[], isSecret: boolean, isSent: boolean): ParameterError {
    const { name } = parameter;
    const input = this.#input as Readonly<Record<string, JsonValue>>;
    return {
      parameter: name,
      code: 'not-kept',
      message: `${changeOf(name, isSecret ? undefined : sent)} ${isSent ? adviceWhenSent : adviceWhenNotSent}`,
      expected: expectedSchema(this.#call, this.#reading, parameter),
      received: isSecret ? redacted : preview(input[name] ?? null),
    };
  }
}

/** The parameters of the input, except buttons, which the page may disable, and custom elements, which submit any values. */
function filledParameters(
  call: RunningCall,
  { description, controls, steps }: FormReading,
): readonly FilledParameter[] {
  const isValue = ({ set }: ExecuteStep): boolean => set !== 'submitter' && set !== 'custom';
  const filled = new SafeSet(steps.filter(isValue).map(({ control }) => control));
  return parametersOf(description, call.form.settings.synthesis).flatMap((parameter) => {
    const indices = parameter.units.flatMap((unit) => unit.controls).filter((index) => filled.has(index));
    const names = indices.flatMap((index) => domTree.attribute(controls[index] as Element, 'name') || []);
    const isSecret = parameter.units.some((unit) => hasSensitive(controlsOf(description, unit)));
    return names.length > 0 ? { parameter, names: [...new SafeSet(names)], isSecret } : [];
  });
}

function entriesOf(data: FormData): readonly Entry[] {
  const entries: Entry[] = [];
  for (const [name, value] of data) {
    if (typeof value === 'string') entries.push({ name, text: value, isFile: false });
    else if (value.name !== '' || value.size > 0) entries.push({ name, text: value.name, isFile: true });
  }
  return entries;
}

/** Returns the entries without an equal value, and the values without an equal entry. Each value matches one entry. */
function withoutEqual(
  entries: readonly Entry[],
  filled: readonly FilledValue[],
): { readonly extra: Entry[]; readonly rest: readonly FilledValue[] } {
  const counts = new SafeMap<string, number>();
  for (const { text } of entries) counts.set(text, (counts.get(text) ?? 0) + 1);
  const matched = new SafeMap<string, number>();
  const rest = filled.filter(({ text }) => {
    const count = matched.get(text) ?? 0;
    if (count === (counts.get(text) ?? 0)) return true;
    matched.set(text, count + 1);
    return false;
  });
  const extra = entries.filter(({ text }) => {
    const count = matched.get(text) ?? 0;
    if (count > 0) matched.set(text, count - 1);
    return count === 0;
  });
  return { extra, rest };
}

const sentTexts = (entries: readonly Entry[], name: string): readonly string[] =>
  entries.filter((entry) => entry.name === name).map(({ text }) => text);

interface Surroundings {
  /** The entries of the same name that match no value of the form. */
  readonly extra: readonly Entry[];
  /** The entries whose names are not names of the call's parameters. */
  readonly elsewhere: readonly Entry[];
  readonly before: readonly string[];
  readonly isSecret: boolean;
}

/** Pages may move values to other entries, format them, and hash secrets. */
function fateOfValue(
  { control, text }: FilledValue,
  { extra, elsewhere, before, isSecret }: Surroundings,
): ValueOutcome {
  if (isInput(control) && inputType(control) === 'file') {
    return [...extra, ...elsewhere].some(({ isFile }) => isFile) ? 'kept' : 'lost';
  }
  const isRestored = extra.some((entry) => isAnyOf(before, entry.text));
  if (isSecret) return isRestored ? 'lost' : 'kept';
  if (text !== '' && elsewhere.some((entry) => isCopy(entry.text, text))) return 'kept';
  const isAnyExtra = (matches: (submitted: string) => boolean): boolean => extra.some((entry) => matches(entry.text));
  if (isInput(control) && inputType(control) === 'checkbox' && isAnyExtra(isTrue)) return 'rewritten';
  if (isChoice(control)) return 'lost';
  if (text === '') return isRestored ? 'lost' : extra.length > 0 ? 'rewritten' : 'kept';
  return isAnyExtra((submitted) => outcomeOfText(control, submitted, text, before) !== 'lost') ? 'rewritten' : 'lost';
}

/** Pages replace the value of a checked box by a boolean. */
const isTrue = (text: string): boolean => /^(?:1|on|true|yes)$/i.test(text);

function changeOf(name: string, sent: readonly string[] | undefined): string {
  const parameter = preview(name);
  if (!sent) return `The page replaced the value of ${parameter} at submission.`;
  if (sent.length === 0) return `The page removed the value of ${parameter} at submission.`;
  return `The page replaced the value of ${parameter} by ${listed(sent)} at submission.`;
}

const resetOf = (name: string, shown: readonly string[] | undefined): string =>
  `When the page answered, the control of ${preview(name)} had ${shown ? listed(shown) : 'another value'} instead of the value of the call.`;

const listed = (values: readonly string[]): string => preview(values.length === 1 ? (values[0] as string) : values);

const adviceWhenNotSent =
  'The form was not sent. Leave the parameter out, or ask the user to enter the value in the page.';
const adviceWhenSent = 'The form was sent. Check what the site has saved before calling again.';

const noteOf = ({ name }: Parameter, sent: readonly string[]): Note => ({
  parameter: name,
  message: `The page submitted the value of ${preview(name)} as ${listed(sent)}.`,
});
