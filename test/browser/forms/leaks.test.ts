import { expect } from '@open-wc/testing';
import { registerForms } from '../../../src/index.js';
import { canCollect, survivors } from '../../support/survivors.js';
import { afterTest, call, host, isNative, live, names, placeTool, tools } from '../../support/browser/live.js';

const forms =
  '<form toolname=t tooldescription=d toolautosubmit action="javascript:void 0"><input id=c name=c></form><label for=c>C</label>';

/** Creates short-lived elements. The last one is not counted: the browser references what it submitted or focused last. */
async function each(
  count: number,
  use: (element: Element) => Promise<unknown> | undefined,
): Promise<WeakRef<Element>[]> {
  const references: WeakRef<Element>[] = [];
  for (let index = 0; index <= count; index++) {
    const element = document.createElement('div');
    document.body.append(element);
    await use(element);
    element.remove();
    references.push(new WeakRef(element));
  }
  await tools();
  return references.slice(0, count);
}

(canCollect && !isNative ? describe : describe.skip)('garbage collection of live forms', () => {
  it('removed forms and their labels are garbage-collected', async () => {
    live();
    const references = await each(20, async (element) => {
      element.innerHTML = forms;
      await call({ c: 'x' });
    });
    expect(await survivors(references)).to.equal(0);
  });

  it('removed shadow trees, and labels whose attribute for changed, are garbage-collected', async () => {
    live();
    const references = await each(20, async (element) => {
      element.attachShadow({ mode: 'open' }).innerHTML = '<label for=x>X</label>';
      element.innerHTML = '<label for=a>A</label>';
      await tools();
      element.firstElementChild?.setAttribute('for', 'b');
      await tools();
    });
    expect(await survivors(references)).to.equal(0);
  });

  it('roots whose signal aborted are garbage-collected', async () => {
    const references = await each(20, async (element) => {
      const controller = new AbortController();
      element.innerHTML = forms;
      registerForms(element, { host, signal: controller.signal, profile: 'precise' });
      await tools();
      controller.abort();
    });
    expect(await survivors(references)).to.equal(0);
  });

  it('a form that is removed while its call waits for the user is garbage-collected', async () => {
    live();
    const references = await each(20, async (element) => {
      element.innerHTML = forms.replace('toolautosubmit', '').replace('</form>', '<button>Go</button></form>');
      const result = call({ c: 'x' });
      await new Promise((resolve) => element.addEventListener('webmcp-await-user', resolve, { once: true }));
      element.replaceChildren();
      await result.catch(() => undefined);
    });
    expect(await survivors(references)).to.equal(0);
  });

  it('frames whose forms the parent page registers are garbage-collected', async () => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<script src="/webmcp-forms.iife.js"></script>';
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    afterTest(() => frame.remove());
    await loaded;
    const outer = frame.contentDocument as Document;
    const references: WeakRef<object>[] = [];
    const openAndRemove = async (): Promise<void> => {
      const inner = outer.createElement('iframe');
      outer.body.append(inner);
      (inner.contentDocument as Document).body.innerHTML = forms;
      await outer.modelContext.getTools();
      references.push(new WeakRef(inner.contentDocument as Document));
      inner.remove();
    };
    for (let index = 0; index < 20; index++) await openAndRemove();
    await outer.modelContext.getTools();
    expect(await survivors(references)).to.equal(0);
  });

  it('a form that is removed at once is not registered', async () => {
    live();
    placeTool('').remove();
    expect(await names()).to.deep.equal([]);
  });
});
