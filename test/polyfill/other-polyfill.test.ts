import { expect } from '@open-wc/testing';
import type { ModelContext } from '../../src/webmcp.js';
import { isNative, openFrame, until, windowOf } from '../support/polyfill/frame.js';

/** Opens a page in which another polyfill has defined `document.modelContext` before this package's script. */
const openPage = async () => windowOf(await openFrame({ src: '/test/polyfill/frames/other-polyfill.html' }));

const namesOf = async (context: Pick<ModelContext, 'getTools'>): Promise<readonly string[]> =>
  (await context.getTools()).map(({ name }) => name).sort();

/** Runs a tool of the other polyfill, whose tools are the registered objects. */
async function run({ document }: Window, name: string, input: object): Promise<unknown> {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  return tool && document.modelContext.executeTool(tool, input);
}

describe('another polyfill on the document', function () {
  before(function () {
    if (isNative) this.skip(); // the browser defines document.modelContext before any polyfill
  });

  it('receives the tools of annotated forms, and this polyfill adds no second model context', async () => {
    const page = await openPage();
    await until(async () => (await namesOf(page.document.modelContext)).length === 2);
    expect(await namesOf(page.document.modelContext)).to.deep.equal(['filter', 'search']);
    expect('modelContext' in page.Document.prototype).to.equal(false);
    expect(await run(page, 'search', { q: 'tea' })).to.equal('tea');
    expect(await run(page, 'filter', { f: 'green' })).to.equal('green');
  });

  it('receives the tools that are registered through navigator.modelContext', async () => {
    const page = await openPage();
    const { navigator } = page;
    navigator.modelContext.registerTool({ name: 'draft', description: 'A tool', execute: () => 'done' });
    await until(async () => (await namesOf(page.document.modelContext)).includes('draft'));
    expect(await namesOf(navigator.modelContext)).to.include('draft');
    navigator.modelContext.unregisterTool('draft');
    expect(await namesOf(page.document.modelContext)).not.to.include('draft');
  });

  it('is not an element, a collection or a frame with the name modelContext', async () => {
    const names = ['form', 'iframe', 'object', 'embed'].map((tag) => `<${tag} name="modelContext"></${tag}>`);
    for (const markup of [
      ...names,
      '<form name="modelContext"><object name="registerTool"></object></form>',
      names.join(''),
    ]) {
      const script = '<script src="/webmcp-forms.iife.js"></script>';
      const page = windowOf(await openFrame({ srcdoc: `${markup}${script}` }));
      expect('modelContext' in page.Document.prototype, markup).to.equal(true);
    }
  });
});
