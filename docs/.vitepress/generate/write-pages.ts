import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, type FormatConfig } from 'oxfmt';
import { actionReference } from './action-reference.js';
import { writeApiReference } from './api-reference.js';
import { cliReference } from './cli-reference.js';
import { conformancePage } from './conformance-page.js';
import { elementsReference } from './elements-reference.js';
import { manifestReference } from './manifest-reference.js';
import { profilesReference } from './profiles-reference.js';
import { projectPages } from './project-pages.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The pages that are committed, so that links to them also work where the repository is browsed. */
const references: Readonly<Record<string, () => string>> = {
  ...cliReference,
  'concepts/conformance.md': conformancePage,
  'reference/elements-api.md': elementsReference,
  'reference/github-action.md': actionReference,
  'reference/manifest.md': manifestReference,
  'reference/profiles.md': profilesReference,
};

/** The text of a committed page, as the formatter prints it. */
async function formatted(page: string, source: string): Promise<string> {
  const options = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const { code, errors } = await format(page, source, options);
  if (errors.length > 0) throw new Error(`docs/${page} cannot be formatted: ${JSON.stringify(errors)}`);
  return code;
}

/**
 * Writes the pages that are generated from declarations, docstrings and files outside `docs/`.
 *
 * @param isCheck - Whether a committed page that is out of date is an error
 */
export async function writePages(isCheck: boolean): Promise<void> {
  const generated = join(root, 'docs/generated');
  rmSync(generated, { recursive: true, force: true });
  for (const [page, render] of Object.entries(references)) await writeReference(page, render(), isCheck);
  removeFormerCommands(isCheck);
  for (const { source, page } of projectPages) {
    mkdirSync(dirname(join(generated, page)), { recursive: true });
    writeFileSync(join(generated, page), withImages(readFileSync(join(root, source), 'utf8')));
  }
  await writeApiReference(root, join(generated, 'api'));
}

async function writeReference(page: string, source: string, isCheck: boolean): Promise<void> {
  const file = join(root, 'docs', page);
  const text = await formatted(page, source);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (isCheck) throw new Error(`docs/${page} is out of date. Run \`npm run docs\` and commit it.`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Removes the pages of commands that no longer exist. */
function removeFormerCommands(isCheck: boolean): void {
  for (const file of readdirSync(join(root, 'docs/reference/cli'))) {
    const page = `reference/cli/${file}`;
    if (page in references) continue;
    if (isCheck) throw new Error(`docs/${page} describes no command. Run \`npm run docs\` and commit it.`);
    rmSync(join(root, 'docs', page));
  }
}

/** Text of a file in the root, with the paths of its images as seen from `docs/generated/project/`. */
const withImages = (text: string): string => text.replaceAll('](docs/images/', '](../../images/');
