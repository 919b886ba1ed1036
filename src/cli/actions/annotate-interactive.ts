import { annotateWithValues } from '../../annotate/files/annotate-files.js';
import type { FormAnnotation, FormValues } from '../../annotate/form-annotation.js';
import type { FilePlan } from '../../annotate/report/choose-forms.js';
import type { ProcessOptions } from '../../site/workers/process-pages.js';
import { countOf, oneLine } from '../../site/printable.js';
import { toolNamePattern } from '../../tool-name.js';
import type { CliContext } from '../program.js';
import { Questions, Stop } from './questions.js';

interface Options extends ProcessOptions {
  readonly isPrefixed: boolean;
  /** Whether the caller asks the user for confirmation before it writes. */
  readonly isConfirmedLater: boolean;
}

type Answer = 'accept' | 'edit' | 'skip' | 'quit';

const falseIfStopped = (error: unknown): boolean => {
  if (error instanceof Stop) return false;
  throw error;
};

/** Asks for each form. Nothing is written before the last answer; quitting keeps the accepted forms. */
export async function askForForms(
  plans: readonly FilePlan[],
  options: Options,
  { stdin, stdout }: Pick<CliContext, 'stdin' | 'stdout'>,
): Promise<readonly FilePlan[]> {
  const questions = new Questions(stdin, stdout);
  try {
    return await new Interview(plans, options, questions).run();
  } finally {
    questions.close();
  }
}

class Interview {
  readonly #plans: readonly FilePlan[];
  readonly #options: Options;
  readonly #questions: Questions;
  /** The content of the accepted tools, by their names. */
  readonly #tools: Map<string, string>;
  #isStopped = false;

  constructor(plans: readonly FilePlan[], options: Options, questions: Questions) {
    this.#plans = plans;
    this.#options = options;
    this.#questions = questions;
    this.#tools = new Map(plans.flatMap(({ file }) => file.tools.map(({ name, content }) => [name, content] as const)));
  }

  async run(): Promise<readonly FilePlan[]> {
    const answered: FilePlan[] = [];
    for (const plan of this.#plans) answered.push(await this.#askForFile(plan));
    const forms = answered.flatMap(({ chosen }) => chosen).length;
    if (forms === 0 || this.#options.isConfirmedLater) return answered;
    const message = `Write the annotations of ${countOf(forms, 'form')}?`;
    const isConfirmed = await this.#questions.confirm(message, true).catch(falseIfStopped);
    return isConfirmed ? answered : answered.map((plan) => ({ ...plan, chosen: [] }));
  }

  /** Asks for all forms, including those that the flags exclude. */
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
      this.#questions.show(`\n${oneLine(`${file.input.file}:${form.line}:${form.column}`)}\n${formText(current)}`);
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
      if (again.problem !== undefined) this.#questions.show(`The form was not changed. ${again.problem}`);
      current = again.forms.find(({ start }) => start === form.start) ?? current;
    }
  }

  /** Accepts a form, unless a different tool has its name. Equal tools of several pages may share a name. */
  #accept({ name, content }: FormAnnotation): boolean {
    const isFree = (this.#tools.get(name) ?? content) === content;
    if (isFree) this.#tools.set(name, content);
    else this.#questions.show(`Another tool has the name ${name}. Edit it.`);
    return isFree;
  }

  async #askWhat({ problems, sensitive }: FormAnnotation): Promise<Answer> {
    const isDoubtful = problems.length > 0 || sensitive !== undefined;
    const message = 'Annotate this form? accept, edit, skip, or quit and keep the accepted forms';
    return await this.#questions
      .choose(message, ['accept', 'edit', 'skip', 'quit'], isDoubtful ? 'skip' : 'accept')
      .catch((error: unknown) => {
        if (error instanceof Stop) return 'quit';
        throw error;
      });
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
    const autosubmit = await this.#questions.confirm(message, form.autosubmit);
    return { name, ...(title && { title }), description, autosubmit, parameters };
  }

  async #ask(message: string, value: string, problem: (value: string) => string | undefined): Promise<string> {
    return oneLine(await this.#questions.text(message, value, problem));
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
    ...(sensitive === undefined ? [] : [`sensitive        ${sensitive}: a person should submit it`]),
    ...problems.map((problem) => `lint             ${problem}`),
  ]
    .map(oneLine)
    .join('\n');
}
