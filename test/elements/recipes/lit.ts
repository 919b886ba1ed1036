import { html, LitElement } from 'lit';
import { ToolController } from '../../../elements/tool-controller.js';

export class CartView extends LitElement {
  static override properties = { shop: {}, count: { type: Number } };
  declare shop: string;
  declare count: number;

  constructor() {
    super();
    this.shop = 'the shop';
    this.count = 0;
    new ToolController(this, () => ({
      name: 'add_to_cart',
      description: `Adds pieces to the cart of ${this.shop}.`,
      inputSchema: { type: 'object', properties: { pieces: { type: 'integer' } }, required: ['pieces'] },
      execute: ({ pieces }: { pieces: number }) => (this.count += pieces),
    }));
  }

  override render() {
    return html`<p>${this.count} in the cart</p>`;
  }
}
customElements.define('cart-view', CartView);
