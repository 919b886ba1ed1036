import { relative } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { detectSite, siteKinds, type DetectedSite } from '../../init/detect-site.js';
import { UsageError } from '../../site/usage-error.js';
import type { CliContext } from '../program.js';

/** Thrown when the user presses Ctrl-C or ends the input. */
export class Stop extends Error {}

/** Questions in a terminal, one per line. */
export class Questions {
  readonly #lines: Interface;
  readonly #output: Writable;

  constructor(input: Readable, output: Writable) {
    this.#lines = createInterface({ input, output, terminal: true });
    this.#output = output;
  }

  show(text: string): void {
    this.#output.write(`${text}\n`);
  }

  /** Asks for one of several words. The first letter is sufficient. */
  async choose<Choice extends string>(message: string, choices: readonly Choice[], initial: Choice): Promise<Choice> {
    for (;;) {
      const answer = (await this.#ask(`${message} (${initial}): `)).toLowerCase();
      const choice = answer === '' ? initial : choices.find((each) => each.startsWith(answer));
      if (choice !== undefined) return choice;
      this.show(`Expected ${choices.join(', ')}, or the first letter of one.`);
    }
  }

  async confirm(message: string, initial: boolean): Promise<boolean> {
    return (await this.choose(message, ['yes', 'no'], initial ? 'yes' : 'no')) === 'yes';
  }

  /** Prompts for a string, initially `initial`, until `problem` returns undefined. */
  async text(message: string, initial: string, problem: (value: string) => string | undefined): Promise<string> {
    for (let value = initial; ;) {
      value = await this.#ask(`${message}: `, value);
      const found = problem(value);
      if (found === undefined) return value;
      this.show(found);
    }
  }

  close(): void {
    this.#lines.close();
  }

  async #ask(query: string, initial = ''): Promise<string> {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    this.#lines.once('SIGINT', stop).once('close', stop);
    try {
      const answer = this.#lines.question(query, { signal: controller.signal });
      if (initial !== '') this.#lines.write(initial);
      return (await answer).trim();
    } catch {
      this.#output.write('\n');
      throw new Stop();
    } finally {
      this.#lines.off('SIGINT', stop).off('close', stop);
    }
  }
}

/** The questions of `init`, except the questions for each form. */
export class InitQuestions {
  readonly #context: CliContext;

  constructor(context: CliContext) {
    this.#context = context;
  }

  confirm(message: string, initial = true): Promise<boolean> {
    return this.#ask((questions) => questions.confirm(message, initial));
  }

  async askForSite(detected: DetectedSite, cwd: string): Promise<DetectedSite> {
    const kind = await this.#ask((questions) =>
      questions.choose(`Kind of site: ${siteKinds.join(', ')}`, siteKinds, detected.kind),
    );
    const folder = relative(cwd, detected.folder) || '.';
    const site = kind === detected.kind ? detected : await detectSite(folder, cwd, kind);
    if (kind === 'vite') return site;
    const assets = await this.#ask((questions) =>
      questions.text('Folder for the scripts', site.assets.folder, folderProblem),
    );
    const isSame = assets === site.assets.folder;
    const initial = isSame ? site.assets.url : `/${assets}/`;
    if (kind === 'static') return { ...site, assets: { folder: assets, url: initial } };
    const url = await this.#ask((questions) => questions.text('URL of this folder', initial, urlProblem));
    return { ...site, assets: { folder: assets, url } };
  }

  /** Closes the interface after each question, because the questions for forms open another interface. */
  async #ask<Answer>(ask: (questions: Questions) => Promise<Answer>): Promise<Answer> {
    const questions = new Questions(this.#context.stdin, this.#context.stdout);
    try {
      return await ask(questions);
    } catch (error) {
      throw error instanceof Stop ? new UsageError('Nothing was changed.') : error;
    } finally {
      questions.close();
    }
  }
}

const folderProblem = (folder: string): string | undefined =>
  /^(?:\.|[^./\\:][^\\:]*)$/.test(folder) && !folder.split('/').includes('..')
    ? undefined
    : 'It is not a folder of the site. Write a relative path with slashes.';

const urlProblem = (url: string): string | undefined =>
  url.endsWith('/') ? undefined : 'The URL of a folder ends with a slash.';
