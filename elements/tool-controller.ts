import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ModelContextTool } from '../src/index.js';
import { ToolRegistration } from './webmcp-tool/tool-registration.js';

/**
 * Gives a Lit component a tool while it is connected. A function is asked anew after each update of the component; the
 * tool is registered anew only if something else than what it executes differs. `undefined` is no tool.
 *
 * @example
 * class CartView extends LitElement {
 *   #tool = new ToolController(this, {
 *     name: 'empty_cart',
 *     description: 'Empties the cart.',
 *     execute: () => this.empty(),
 *   });
 * }
 */
export class ToolController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #define: () => ModelContextTool | undefined;
  readonly #registration: ToolRegistration;
  #isConnected = false;

  constructor(
    host: ReactiveControllerHost & Element,
    definition: ModelContextTool | (() => ModelContextTool | undefined),
  ) {
    this.#host = host;
    this.#define = typeof definition === 'function' ? definition : () => definition;
    this.#registration = new ToolRegistration((problem) => {
      if (problem) console.warn(`${problem.code}: ${problem.message}`, host);
    });
    host.addController(this);
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.#host.requestUpdate(); // a host that comes back has nothing else to update
  }

  hostUpdated(): void {
    if (!this.#isConnected) return;
    const tool = this.#define();
    if (tool) this.#registration.set(tool, this.#host.ownerDocument);
    else this.#registration.stop();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    // A move disconnects and connects in one go.
    queueMicrotask(() => !this.#isConnected && this.#registration.stop());
  }
}
