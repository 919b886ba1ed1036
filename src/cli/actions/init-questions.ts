import { relative } from 'node:path';
import { detectSite, siteKinds, type DetectedSite } from '../../init/detect-site.js';
import { UsageError } from '../../site/usage-error.js';
import type { CliContext } from '../context.js';
import { Questions, Stop } from './questions.js';

/** The questions of `init`, besides those for each form. */
export class InitQuestions {
  readonly #context: CliContext;

  constructor(context: CliContext) {
    this.#context = context;
  }

  confirm(message: string, initial = true): Promise<boolean> {
    return this.#ask((questions) => questions.confirm(message, initial));
  }

  /** Asks for the kind of site and the place of the scripts. */
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

  /** Each question closes its interface, because the questions for forms have one, too. */
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
