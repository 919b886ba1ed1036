import { expect } from '@open-wc/testing';
import '../../elements/webmcp-inspector.js';
import type { Diagnostic, RegisterFormsOptions } from '../../src/index.js';
import { mountAlpine } from './frameworks/alpine.js';
import { mountAngular } from './frameworks/angular.js';
import { mountFormik } from './frameworks/formik.js';
import { checkVat, confirmation, Shop, type MountOrder } from './frameworks/order.js';
import { mountHookForm } from './frameworks/react-hook-form.js';
import { mountSvelteOrder } from './frameworks/svelte-order.js';
import { mountVueOrder } from './frameworks/vue-order.js';
import { afterTest, call, live, names, tool, waitUntil } from '../support/browser/live.js';
import { changesIn, outcomeOf, type Outcome } from '../support/browser/outcome.js';

const order = { kind: 'company', mail: 'ann@example.com', vat: 'DE1' };
const input = { vat: order.vat, mail: order.mail, kind: order.kind };

const style = document.createElement('style');
style.textContent = '.order label { display: block }';
document.head.append(style);

/** Browsers with WebMCP register the tool asynchronously. */
const isRegistered = (): Promise<void> =>
  waitUntil(async () => (await names()).includes('t'), 'the tool is registered');

async function answerTo(values: object): Promise<Outcome> {
  await isRegistered();
  return outcomeOf(call(values));
}

/** The values that a form shows. */
const shown = (container: Element): Record<string, unknown> =>
  Object.fromEntries(new FormData(container.querySelector('form') as HTMLFormElement));

for (const [framework, mount] of [
  ['React Hook Form that validates on submit', mountHookForm('onSubmit')],
  ['React Hook Form that validates on blur', mountHookForm('onBlur')],
  ['React Hook Form that validates on change', mountHookForm('all')],
  ['Formik that validates on submit', mountFormik(false)],
  ['Formik that validates on change', mountFormik(true)],
  ['Angular reactive forms', mountAngular],
  ['Vue', mountVueOrder],
  ['Svelte', mountSvelteOrder],
  ['Alpine with x-if', mountAlpine(true)],
  ['Alpine with x-show', mountAlpine(false)],
] as const) {
  describe(`an order form of ${framework}`, () => {
    let container: HTMLElement;

    async function open(
      mountOrder: MountOrder,
      { resets = false, delayMs = 0, scriptTimeoutMs = 10_000 },
    ): Promise<Shop> {
      container = document.createElement('div');
      container.className = 'order';
      document.body.append(container);
      afterTest(() => container.remove());
      const shop = new Shop(resets, delayMs);
      afterTest(await mountOrder(container, shop));
      live({}, { scriptTimeoutMs, optionsTimeoutMs: 500 });
      return shop;
    }

    for (const resets of [false, true]) {
      it(`is filled and sent, but not changed afterwards if the page ${resets ? 'resets' : 'keeps'} it`, async () => {
        const { orders } = await open(mount, { resets });
        const { text, errors, notes } = await answerTo(input);
        expect(text).to.include(confirmation);
        expect([...errors, ...notes]).to.deep.equal([]);
        expect(orders).to.deep.equal([order]);
        expect(await changesIn(container)).to.deep.equal([]);
        expect(shown(container)).to.include(resets ? { kind: '', mail: '' } : order);
        expect(container.innerText).not.to.match(/We need|starts with/);
      });
    }

    it('is answered with the error of the page, and can be corrected', async () => {
      const { orders } = await open(mount, {});
      const { text, errors } = await answerTo({ ...input, vat: '1' });
      expect([text, ...errors].join()).to.include(checkVat(''));
      expect(orders).to.deep.equal([]);
      const corrected = await answerTo(input);
      expect(corrected.text).to.include(confirmation);
      expect(corrected.errors).to.deep.equal([]);
      expect(orders).to.deep.equal([order]);
    });

    it('is restored if the browser does not submit it', async () => {
      const { orders } = await open(mount, {});
      const { errors } = await answerTo({ ...input, mail: 'nobody' });
      expect(errors).to.have.length(1);
      await waitUntil(() => !container.querySelector('[name=vat]:enabled'));
      expect([shown(container), orders]).to.deep.equal([{ kind: '', mail: '' }, []]);
      expect((await answerTo(input)).text).to.include(confirmation);
      expect(orders).to.deep.equal([order]);
    });

    it('keeps the values of the call for a page that reads it after 900 ms', async () => {
      const { orders } = await open(mount, { delayMs: 900, scriptTimeoutMs: 300 });
      const { errors } = await answerTo(input);
      expect(errors).to.deep.equal([]);
      await waitUntil(() => orders.length > 0);
      expect(orders).to.deep.equal([order]);
      expect(await changesIn(container)).to.deep.equal([]);
      expect(container.innerText).not.to.match(/We need|starts with/);
    });
  });
}

describe('a form of Formik whose controls have no names', () => {
  const message = 'The tool "t" has no parameters. Name its controls.';

  async function open(options?: RegisterFormsOptions): Promise<readonly string[]> {
    const warnings: string[] = [];
    const { warn } = console;
    console.warn = (text: string) => void warnings.push(text);
    afterTest(() => (console.warn = warn));
    const container = document.createElement('div');
    document.body.append(container);
    afterTest(() => container.remove());
    afterTest(await mountFormik(true, 'id')(container, new Shop(false, 0)));
    live(options);
    await isRegistered();
    expect((await tool()).inputSchema).to.deep.include({ properties: {} });
    return warnings;
  }

  it('is a tool without parameters, and the console shows the reason', async () => {
    expect(await open()).to.deep.equal([message]);
  });

  it('is reported to onDiagnostic instead of the console', async () => {
    const reported: string[] = [];
    const onDiagnostic = ({ code, tool: name = '' }: Diagnostic): void => void reported.push(`${name}: ${code}`);
    expect(await open({ onDiagnostic })).to.deep.equal([]);
    expect(reported).to.include('t: missing-parameter-name');
  });

  it('is reported by the inspector', async () => {
    await open();
    const inspector = Object.assign(document.createElement('webmcp-inspector'), { tab: 'findings' as const });
    document.body.append(inspector);
    afterTest(() => inspector.remove());
    const section = (): Element | null | undefined => inspector.shadowRoot?.querySelector('[part=findings]');
    await waitUntil(() => section()?.textContent?.includes('The control has no name'), 'the diagnostic is listed');
  });
});
