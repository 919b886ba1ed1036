import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, note, select, text, type CommonOptions } from '@clack/prompts';
import { annotateWithValues } from '../../annotate/files/annotate-files.js';
import type { FormAnnotation, FormValues } from '../../annotate/form-annotation.js';
import type { FilePlan } from '../../annotate/report/choose-forms.js';
import type { ProcessOptions } from '../../site/jobs/process-pages.js';
import { oneLine } from '../../site/printable.js';
import { toolNamePattern } from '../../tool-name.js';
import type { CliContext } from '../context.js';

interface Options extends ProcessOptions {
  readonly isPrefixed: boolean;
}

type Answer = 'accept' | 'edit' | 'skip' | 'quit';

/** Thrown when the user ends the questions. */
class Stop extends Error {}

/** Asks for each form. Nothing is written before the last answer; quitting keeps what was accepted. */
export async function askForForms(
  plans: readonly FilePlan[],
  options: Options,
  { stdin, stdout }: Pick<CliContext, 'stdin' | 'stdout'>,
): Promise<readonly FilePlan[]> {
  const interview = new Interview(plans, options, { input: stdin, output: stdout });
  return await interview.run();
}

class Interview {
  readonly #plans: readonly FilePlan[];
  readonly #options: Options;
  readonly #streams: CommonOptions & { readonly input: Readable; readonly output: Writable };
  /** The content of the accepted tools, by their names. */
  readonly #tools: Map<string, string>;
  #isStopped = false;

  constructor(plans: readonly FilePlan[], options: Options, streams: { input: Readable; output: Writable }) {
    this.#plans = plans;
    this.#options = options;
    this.#streams = streams;
    this.#tools = new Map(plans.flatMap(({ file }) => file.tools.map(({ name, content }) => [name, content] as const)));
  }

  async run(): Promise<readonly FilePlan[]> {
    const answered: FilePlan[] = [];
    for (const plan of this.#plans) answered.push(await this.#askForFile(plan));
    const forms = answered.flatMap(({ chosen }) => chosen).length;
    if (forms === 0) return answered;
    const message = `Write the annotations of ${forms} form${forms === 1 ? '' : 's'}?`;
    const isConfirmed = await confirm({ message, ...this.#streams });
    return isConfirmed === true ? answered : answered.map((plan) => ({ ...plan, chosen: [] }));
  }

  /** The forms that the flags leave out are asked for as well. */
  async #askForFile(plan: FilePlan): Promise<FilePlan> {
    const forms = [...plan.chosen, ...plan.excluded].sort((one, other) => one.start - other.start);
    const chosen: FormAnnotation[] = [];
    let { file } = plan;
    for (const form of forms) {
      const result = this.#isStopped ? undefined : await this.#askForForm({ ...plan, file }, form, chosen);
      if (result === undefined) continue;
      chosen.push(result.form);
      file = result.file;
    }
    return { ...plan, file, chosen, excluded: [] };
  }

  async #askForForm(
    { file }: FilePlan,
    form: FormAnnotation,
    chosen: readonly FormAnnotation[],
  ): Promise<{ readonly form: FormAnnotation; readonly file: FilePlan['file'] } | undefined> {
    let current = form;
    for (;;) {
      note(formText(current), oneLine(`${file.input.file}:${form.line}:${form.column}`), this.#streams);
      const answer = await this.#askWhat(current);
      if (answer === 'skip') return undefined;
      if (answer === 'quit') {
        this.#isStopped = true;
        return undefined;
      }
      if (answer === 'accept') {
        if (this.#accept(current)) return { form: current, file };
        continue;
      }
      const values = await this.#edit(current).catch((error: unknown) => {
        if (error instanceof Stop) return undefined;
        throw error;
      });
      if (values === undefined) continue;
      const others = Object.fromEntries(chosen.map((each) => [each.start, each]));
      const again = await annotateWithValues(file, { ...others, [form.start]: values }, this.#options);
      if (again.problem !== undefined) note(again.problem, 'Not changed', this.#streams);
      current = again.forms.find(({ start }) => start === form.start) ?? current;
    }
  }

  /** A name may be used for equal tools of several pages. */
  #accept({ name, content }: FormAnnotation): boolean {
    const isFree = (this.#tools.get(name) ?? content) === content;
    if (isFree) this.#tools.set(name, content);
    else note(`Another tool has the name ${name}. Edit it.`, 'Not accepted', this.#streams);
    return isFree;
  }

  async #askWhat({ problems, sensitive }: FormAnnotation): Promise<Answer> {
    const isDoubtful = problems.length > 0 || sensitive !== undefined;
    const answer = await select<Answer>({
      message: 'Annotate this form?',
      initialValue: isDoubtful ? 'skip' : 'accept',
      options: [
        { value: 'accept', label: 'accept' },
        { value: 'edit', label: 'edit' },
        { value: 'skip', label: 'skip' },
        { value: 'quit', label: 'quit', hint: 'and keep what was accepted' },
      ],
      ...this.#streams,
    });
    return isCancel(answer) ? 'quit' : answer;
  }

  async #edit(form: FormAnnotation): Promise<FormValues> {
    const name = await this.#ask('toolname', form.name, (value) => this.#nameProblem(value, form.name));
    const title = await this.#ask('tooltitle (may be empty)', form.title ?? '', () => undefined);
    const description = await this.#ask('tooldescription', form.description, isMissing);
    const parameters = [];
    for (const parameter of form.parameters) {
      const message = `toolparamdescription of ${oneLine(parameter.parameter)}`;
      parameters.push({ ...parameter, description: await this.#ask(message, parameter.description, isMissing) });
    }
    const message = 'Submit without waiting for the user (only if the form changes nothing)?';
    const autosubmit = await confirm({ message, initialValue: form.autosubmit, ...this.#streams });
    if (isCancel(autosubmit)) throw new Stop();
    return { name, ...(title && { title }), description, autosubmit, parameters };
  }

  async #ask(message: string, value: string, problem: (value: string) => string | undefined): Promise<string> {
    const options = { message, initialValue: value, ...this.#streams };
    const answer = await text({ ...options, validate: (each) => problem((each ?? '').trim()) });
    if (isCancel(answer)) throw new Stop();
    return oneLine(answer);
  }

  #nameProblem(name: string, current: string): string | undefined {
    if (!toolNamePattern.test(name)) return 'A name has 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop.';
    return name !== current && this.#tools.has(name) ? 'Another form has this name. Choose another one.' : undefined;
  }
}

const isMissing = (value: string): string | undefined => (value === '' ? 'It is empty. Write a sentence.' : undefined);

function formText({ name, title, description, autosubmit, parameters, ...form }: FormAnnotation): string {
  const { confidence, sensitive, origins, problems } = form;
  return [
    `toolname         ${name}`,
    ...(title === undefined ? [] : [`tooltitle        ${title}`]),
    `tooldescription  ${description}`,
    `submits          ${autosubmit ? 'the agent (toolautosubmit)' : 'the person'}`,
    ...parameters.map(({ parameter, description: text }) => `${parameter}: ${text}`),
    `confidence       ${confidence}`,
    `from             ${origins.map(({ kind, text }) => `${kind} "${text}"`).join(', ')}`,
    ...(sensitive === undefined ? [] : [`sensitive        ${sensitive}: wants a person`]),
    ...problems.map((problem) => `lint             ${problem}`),
  ]
    .map(oneLine)
    .join('\n');
}
