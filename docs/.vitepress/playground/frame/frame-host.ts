import { domTree } from '../../../../src/browser/dom/dom-tree.js';
import type { HostedTool, RunTool, ToolHost } from '../../../../src/webmcp.js';

type BeforeRead = (called?: string) => void;

/** The tools of the frame. The polyfill would need the permission of the page, which has no part in this. */
export class FrameHost implements ToolHost {
  readonly #tools = new Map<string, RunTool>();
  readonly #beforeRead: BeforeRead[] = [];
  readonly #starting: Promise<void>[] = [];

  /** The function that runs the tool with the name that a form has. */
  async toolOf(form: Element): Promise<RunTool> {
    await Promise.all(this.#starting);
    const name = domTree.attribute(form, 'toolname') ?? domTree.attribute(form, 'data-toolname') ?? '';
    for (const steps of this.#beforeRead) steps(name);
    const run = this.#tools.get(name);
    if (run) return run;
    throw new Error('The form is not a tool. See the findings.');
  }

  add({ name }: HostedTool, run: RunTool): boolean {
    if (this.#tools.has(name)) return false;
    this.#tools.set(name, run);
    return true;
  }

  update(name: string, definition: HostedTool): boolean {
    const run = this.#tools.get(name);
    if (!run) return false;
    this.#tools.delete(name);
    return this.add(definition, run);
  }

  remove(name: string): void {
    this.#tools.delete(name);
  }

  onBeforeRead(steps: BeforeRead): void {
    this.#beforeRead.push(steps);
  }

  onFirstUse(steps: () => void | Promise<void>): void {
    const starting = steps();
    if (starting) this.#starting.push(starting);
  }
}
