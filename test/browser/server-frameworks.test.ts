import { expect } from '@open-wc/testing';
import { waitUntil } from '../support/browser/live.js';
import { changesIn, outcomeOf, type Outcome } from '../support/browser/outcome.js';
import { namesIn, openFrame, toolIn, until, windowOf } from '../support/polyfill/frame.js';

const orders = async (): Promise<readonly { readonly mail: string }[]> =>
  (await (await fetch('/shop/orders')).json()) as readonly { readonly mail: string }[];

for (const [framework, path] of [
  ['htmx', 'htmx'],
  ['htmx that replaces it after each choice', 'htmxforms'],
  ['Turbo', 'turbo'],
  ['Unpoly', 'unpoly'],
  ['Alpine that morphs it after each change', 'morph'],
] as const) {
  describe(`an order form that a server renders with ${framework}`, () => {
    let page: Document;
    let order: Readonly<Record<'kind' | 'mail' | 'vat', string>>;
    let input: typeof order;

    beforeEach(async () => {
      // Several browsers send orders to the server at the same time.
      order = { kind: 'company', mail: `${crypto.randomUUID()}@example.com`, vat: 'DE1' };
      input = { vat: order.vat, mail: order.mail, kind: order.kind };
      page = windowOf(await openFrame({ src: `/shop/${path}` })).document;
    });

    async function call(values: object): Promise<Outcome> {
      await until(async () => (await namesIn(page)).includes('t')); // browsers with WebMCP register it asynchronously
      return outcomeOf(page.modelContext.executeTool(await toolIn(page, 't'), values));
    }

    const newOrders = async (): Promise<readonly object[]> =>
      (await orders()).filter(({ mail }) => mail === order.mail);

    it('is filled and sent, but not changed afterwards', async () => {
      const { text, errors, notes } = await call(input);
      expect(text).to.include('Thank you for your order.');
      expect([...errors, ...notes]).to.deep.equal([]);
      expect(await newOrders()).to.deep.equal([order]);
      expect(await changesIn(page)).to.deep.equal([]);
      expect(page.body.innerText).not.to.match(/We need|starts with/);
    });

    it('is answered with the error of the page, and can be corrected', async () => {
      const { text, errors } = await call({ ...input, vat: '1' });
      expect([text, ...errors].join()).to.include('A VAT number starts with two letters.');
      expect(await newOrders()).to.deep.equal([]);
      const corrected = await call(input);
      expect(corrected.text).to.include('Thank you for your order.');
      expect(corrected.errors).to.deep.equal([]);
      expect(await newOrders()).to.deep.equal([order]);
    });

    it('is restored if the browser does not submit it', async () => {
      const { errors } = await call({ ...input, mail: 'nobody' });
      expect(errors).to.have.length(1);
      await waitUntil(() => !page.querySelector('[name=vat]'));
      const form = page.querySelector('form') as HTMLFormElement;
      expect(Object.fromEntries(new FormData(form))).to.deep.equal({ kind: '', mail: '' });
      expect((await call(input)).text).to.include('Thank you for your order.');
      expect(await newOrders()).to.deep.equal([order]);
    });
  });
}
