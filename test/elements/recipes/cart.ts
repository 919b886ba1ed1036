import type { ModelContextTool } from '../../../src/index.js';

/** A cart with a tool that depends on its state, in any framework. */
export interface Cart {
  readonly text: () => string;
  /** Changes the definition of the tool. */
  readonly setShop: (shop: string) => void;
  readonly unmount: () => void;
}

export type Mount = (container: Element) => Cart | Promise<Cart>;

export interface CartModule {
  readonly mount: Mount;
  /** Renders the cart on a server. */
  readonly renderOnServer?: () => string | Promise<string>;
}

type Change = (count: number) => number;

/** A tool that adds to the count of its definition. */
export const cartTool = (shop: string, count: number, update: (change: Change) => void): ModelContextTool => ({
  name: 'add_to_cart',
  description: `Adds pieces to the cart of ${shop}.`,
  inputSchema: { type: 'object', properties: { pieces: { type: 'integer' } }, required: ['pieces'] },
  execute: ({ pieces }: { pieces: number }) => {
    update((latest) => latest + pieces);
    return count + pieces;
  },
});

export const cartText = (count: number): string => `${count} in the cart`;
