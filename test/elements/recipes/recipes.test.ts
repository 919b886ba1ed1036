import { expect } from '@open-wc/testing';
import { afterTest, call, names, tool, waitUntil } from '../../support/browser/live.js';
import { changesOfReplacement, toolChanges, settled } from '../../support/elements/webmcp-tools.js';
import type { Cart, CartModule } from './cart.js';

const frameworks: Readonly<Record<string, () => Promise<CartModule>>> = {
  'React, in its strict mode': () => import('./mount-react.js'),
  Vue: () => import('./mount-vue.js'),
  Svelte: () => import('./mount-svelte.js'),
  'Angular, without zones': () => import('./mount-angular.js'),
  Lit: () => import('./mount-lit.js'),
};

const name = 'add_to_cart';

for (const [framework, load] of Object.entries(frameworks)) {
  describe(`the recipe for ${framework}`, () => {
    async function mount(): Promise<Cart> {
      const { mount: mountIn } = await load();
      const container = document.createElement('div');
      document.body.append(container);
      const cart = await mountIn(container);
      let isMounted = true;
      const unmount = (): void => {
        if (isMounted) cart.unmount();
        isMounted = false;
      };
      afterTest(() => (unmount(), container.remove()));
      await waitUntil(async () => (await names()).includes(name));
      await settled();
      return { ...cart, unmount };
    }

    it('registers one tool while the component is mounted', async () => {
      const cart = await mount();
      const { description, inputSchema } = await tool(name);
      expect([await names(), description]).to.deep.equal([[name], 'Adds pieces to the cart of the shop.']);
      expect(inputSchema).to.have.nested.property('properties.pieces.type', 'integer');
      cart.unmount();
      await waitUntil(async () => (await names()).length === 0);
    });

    it('runs with the latest state without a toolchange event', async () => {
      const cart = await mount();
      const changes = await toolChanges();
      expect(await call({ pieces: 2 }, {}, name)).to.equal('2');
      await waitUntil(() => cart.text().includes('2 in the cart'));
      expect(await call({ pieces: 3 }, {}, name)).to.equal('5');
      await waitUntil(() => cart.text().includes('5 in the cart'));
      expect(await changes()).to.equal(0);
    });

    it('runs calls that start before the next rendering', async () => {
      const cart = await mount();
      await Promise.all([1, 2, 3, 4].map((pieces) => call({ pieces }, {}, name)));
      await waitUntil(() => cart.text().includes('10 in the cart'));
    });

    it('registers the definition of the latest state', async () => {
      const cart = await mount();
      const changes = await toolChanges();
      await call({ pieces: 2 }, {}, name);
      cart.setShop('another');
      const isOther = async (): Promise<boolean> => (await tool(name)).description.includes('another');
      await waitUntil(() => isOther().catch(() => false)); // no tool is registered in between
      expect(await changes(changesOfReplacement)).to.equal(changesOfReplacement);
      expect(await call({ pieces: 1 }, {}, name)).to.equal('3');
    });

    it('can be mounted again', async () => {
      (await mount()).unmount();
      await waitUntil(async () => (await names()).length === 0);
      await mount();
      expect(await names()).to.deep.equal([name]);
    });

    it('reports nothing if it is unmounted at once', async () => {
      const { error } = console;
      const seen: unknown[] = [];
      console.error = (...args: unknown[]) => void seen.push(args);
      afterTest(() => (console.error = error));
      const { mount: mountIn } = await load();
      const container = document.createElement('div');
      document.body.append(container);
      afterTest(() => container.remove());
      (await mountIn(container)).unmount();
      await settled();
      expect([await names(), seen]).to.deep.equal([[], []]);
    });

    it('registers nothing on a server', async function () {
      const { renderOnServer } = await load();
      if (!renderOnServer) this.skip();
      expect(await renderOnServer()).to.contain('0 in the cart');
      await settled();
      expect(await names()).to.deep.equal([]);
    });
  });
}
