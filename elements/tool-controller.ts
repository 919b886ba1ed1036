import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ModelContextTool } from '../src/index.js';
import { ToolRegistration } from './webmcp-tool/tool-registration.js';

/**
 * Registers a tool while a Lit component is connected. If the definition is a function, it is called after each update
 * of the component; `undefined` unregisters the tool. The tool is registered again only if a member other than
 * `execute` differs.
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
    this.#registration = new ToolRegistration((diagnostic) => {
      if (diagnostic) console.warn(`${diagnostic.code}: ${diagnostic.message}`, host);
    });
    host.addController(this);
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.#host.requestUpdate(); // a reconnected host does not update by itself
  }

  hostUpdated(): void {
    if (!this.#isConnected) return;
    const tool = this.#define();
    if (tool) this.#registration.set(tool, this.#host.ownerDocument);
    else this.#registration.stop();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    // A moved host is disconnected and connected in one task.
    queueMicrotask(() => !this.#isConnected && this.#registration.stop());
  }
}
