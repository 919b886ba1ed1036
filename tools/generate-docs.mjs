import { runNode } from './run.mjs';

const generator = ['--conditions=@webmcp-forms/source', '--import', 'tsx', 'docs/.vitepress/generate/run.ts'];

/** Writes the pages that are generated. With `check`, throws if a committed page is out of date. */
export async function generateDocs({ check = false } = {}) {
  if ((await runNode([...generator, ...(check ? ['--check'] : [])])) === 0) return;
  throw new Error('The pages of the documentation could not be generated. See the errors above.');
}
