import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ModelContextTool } from '../../src/webmcp.js';
import { afterTest, namesIn, toolIn } from '../support/polyfill/frame.js';
import { differsFromNative } from '../support/polyfill/native.js';
import { call, next, rejectionName } from '../support/polyfill/page.js';

apply();

afterEach(() => navigator.modelContext.clearContext());

/** The published text of an example of the older drafts. */
const example = async (name: string): Promise<string> =>
  (await fetch(new URL(`../fixtures/drafts/${name}.txt`, import.meta.url))).text();

/** Runs code as a script of the page. */
function runScript(code: string): void {
  const script = document.createElement('script');
  script.textContent = code;
  document.head.append(script);
  script.remove();
}

/** The value of an example that is an expression. */
async function objectIn(name: string): Promise<unknown> {
  runScript(`globalThis.exampleValue = (\n${await example(name)}\n);`);
  return global('exampleValue');
}

const global = (name: string): unknown => Reflect.get(window, name);

/** Defines a global for the page's scripts, until the end of the test. */
function provide(globals: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(window, name);
    Object.defineProperty(window, name, { value, writable: true, configurable: true });
    afterTest(() => {
      Reflect.deleteProperty(window, name);
      if (before) Object.defineProperty(window, name, before);
    });
  }
}

const names = () => namesIn(document);

/** Calls a tool and parses its result as the older drafts specify. */
async function contentOf(name: string, input: object): Promise<readonly unknown[]> {
  const { content } = JSON.parse((await call(name, input)) as string) as { content: readonly { text: string }[] };
  return content;
}

/** Sets the user's answer to `confirm`. Returns the list of bought products. */
function shop(answer: boolean) {
  const [asked, bought]: string[][] = [[], []];
  provide({
    confirm: (question: string) => (asked?.push(question), answer),
    executePurchase: (product: string) => bought?.push(product),
  });
  return { asked, bought };
}

describe("the examples of the older drafts' API reference", () => {
  it('the example greet works', async () => {
    runScript(await example('reference-greet'));
    const tool = await toolIn(document, 'greet');
    expect(tool.description).to.equal('사용자에게 인사말을 생성합니다');
    expect(tool.inputSchema).to.deep.equal({
      type: 'object',
      properties: { name: { type: 'string', description: '인사할 대상의 이름' } },
      required: ['name'],
    });
    expect(await contentOf('greet', { name: '민수' })).to.deep.equal([{ type: 'text', text: '안녕하세요, 민수님!' }]);
  });

  it('the example add-stamp works beside a form for stamps', async () => {
    const page = document.createElement('div');
    const inputs = ['Name', 'Description', 'Year', 'ImageUrl'].map((name) => `<input id=stamp${name} value="${name}">`);
    page.innerHTML = `<form id=addStampForm>${inputs.join('')}</form><p id=confirmationMessage></p>`;
    document.body.append(page);
    afterTest(() => page.remove());
    const stamps: object[] = [];
    let drawn = 0;
    provide({ stamps, renderStamps: () => drawn++ });
    runScript(await example('reference-add-stamp'));

    const stamp = { name: 'Blue Mauritius', description: 'Two pence', year: 1847 };
    const [content] = await contentOf('add-stamp', stamp);
    expect(content).to.deep.equal({ type: 'text', text: 'Stamp "Blue Mauritius" added! Collection: 1 stamps.' });
    expect(page.lastChild?.textContent).to.equal('Stamp "Blue Mauritius" added successfully!');
    page.querySelector('form')?.requestSubmit();
    expect(stamps).to.deep.equal([
      { ...stamp, imageUrl: null },
      { name: 'Name', description: 'Description', year: 'Year', imageUrl: 'ImageUrl' },
    ]);
    expect(drawn).to.equal(2);
  });

  it('the example buyProduct resolves if the user agrees', async () => {
    const { asked, bought } = shop(true);
    runScript(await example('reference-buy-product'));
    expect(await call('buyProduct', { product_id: 'p-1' })).to.equal('Product p-1 purchased.');
    expect(asked).to.deep.equal(['Buy product p-1?\nClick OK to confirm, Cancel to abort.']);
    expect(bought).to.deep.equal(['p-1']);
  });

  it('the example buyProduct rejects if the user refuses', async () => {
    const { asked, bought } = shop(false);
    runScript(await example('reference-buy-product'));
    expect(await rejectionName(call('buyProduct', { product_id: 'p-1' }))).to.equal('UnknownError');
    expect(asked).to.have.lengthOf(1);
    expect(bought).to.deep.equal([]);
  });

  differsFromNative('reasons', 'the example buyProduct reports to the agent that the user refused', async () => {
    shop(false);
    runScript(await example('reference-buy-product'));
    const message = await call('buyProduct', { product_id: 'p-1' }).catch((error: Error) => error.message);
    expect(message).to.match(/Purchase cancelled by user\.$/);
  });

  it('the example edit-design registers and unregisters a tool with its view', async () => {
    provide({
      filterTemplates: (description: string) => [`filtered by ${description}`],
      editDesign: (instructions: string) => Promise.resolve({ edited: instructions }),
    });
    runScript(await example('reference-edit-design'));
    const [open, close] = ['onDesignEditorOpened', 'onDesignEditorClosed'].map(global) as [() => void, () => void];
    expect(await names()).to.deep.equal(['filter-templates']);
    expect(await call('filter-templates', { description: 'x' })).to.equal('["filtered by x"]');

    const changed = next('toolchange');
    open();
    await changed;
    expect(await names()).to.deep.equal(['edit-design', 'filter-templates']);
    expect(await call('edit-design', { instructions: 'bigger' })).to.equal('{"edited":"bigger"}');
    expect(open).to.throw(DOMException, /name/);

    close();
    expect(await names()).to.deep.equal(['filter-templates']);
    open();
    expect(await names()).to.deep.equal(['edit-design', 'filter-templates']);
  });

  it('the example get-dresses is a read-only tool', async () => {
    provide({ fetchProducts: (size: number, color: string) => Promise.resolve([{ size, color }]) });
    runScript(await example('reference-get-dresses'));
    const { annotations } = await toolIn(document, 'get-dresses');
    expect(annotations?.readOnlyHint).to.equal(true);
    const result = await call('get-dresses', { size: 8, color: 'red' });
    expect(result).to.equal('{"products":[{"size":8,"color":"red"}]}');
  });
});

describe("the examples of the older drafts' agent skill", () => {
  it('the feature detection of the skill finds the API', async () => {
    runScript(`${await example('skill-detect')};globalThis.exampleValue = supported;`);
    expect(global('exampleValue')).to.equal(true);
  });

  it('the example for provideContext registers its tools', async () => {
    runScript(await example('skill-provide-context'));
    const { description, inputSchema } = await toolIn(document, 'tool-name');
    expect(description).to.equal('What this tool does');
    expect(inputSchema).to.deep.equal({ type: 'object', properties: {}, required: [] });
    expect(await call('tool-name')).to.equal('undefined');
  });

  it('the example tool works with registerTool and with provideContext', async () => {
    const tool = (await objectIn('skill-tool')) as ModelContextTool;
    navigator.modelContext.registerTool(tool);
    navigator.modelContext.provideContext({ tools: [tool] });
    expect((await toolIn(document, 'add-stamp')).inputSchema).to.deep.equal(tool.inputSchema);
    const content = await contentOf('add-stamp', { name: 'Penny Black', year: 1840 });
    expect(content).to.deep.equal([{ type: 'text', text: 'Stamp "Penny Black" added.' }]);
  });

  it('the example response reaches the agent unchanged', async () => {
    const response = await objectIn('skill-response');
    const execute = () => response;
    navigator.modelContext.registerTool({ name: 'a', description: 'd', execute });
    expect(await contentOf('a', {})).to.deep.equal([{ type: 'text', text: 'Result description' }]);
  });

  for (const answer of [true, false]) {
    it(`the skill example buyProduct works if the user ${answer ? 'agrees' : 'refuses'}`, async () => {
      const { asked, bought } = shop(answer);
      runScript(await example('skill-buy-product'));
      const execute = global('buyProduct') as ModelContextTool['execute'];
      navigator.modelContext.registerTool({ name: 'buy-product', description: 'Buys.', execute });
      const content = await contentOf('buy-product', { product_id: 'p-1' }).catch((error: Error) => error.name);
      expect(content).to.deep.equal(answer ? [{ type: 'text', text: 'Product p-1 purchased.' }] : 'UnknownError');
      expect(asked).to.deep.equal(['Buy product p-1?']);
      expect(bought).to.deep.equal(answer ? ['p-1'] : []);
    });
  }

  differsFromNative('jsonText', 'an agent of the older drafts may pass the input as JSON text', async () => {
    navigator.modelContext.registerTool((await objectIn('skill-tool')) as ModelContextTool);
    const result = await call('add-stamp', JSON.stringify({ name: 'Penny Black', year: 1840 }));
    expect(result).to.equal('{"content":[{"type":"text","text":"Stamp \\"Penny Black\\" added."}]}');
  });
});
