import { SafeMap, SafeSet } from '../../platform/collections.js';
import { queueTask } from '../../platform/tasks.js';
import type { HostedTool, ToolHost } from '../../webmcp.js';
import type { LiveForm } from './live-form.js';

/** Which form has which name at a host: the first that came, and when it goes, the next. */
export class Registrations {
  readonly #host: ToolHost;
  /** By the name that another tool has. */
  readonly #waiting = new SafeMap<string, Set<LiveForm>>();

  constructor(host: ToolHost) {
    this.#host = host;
  }

  /** Tries again to register the forms whose names were taken. */
  retry(): void {
    for (const name of [...this.#waiting.keys()]) this.#promote(name);
  }

  /** Registers a form as the tool that it is now, if its name is valid and free. */
  set(form: LiveForm): void {
    const { tool, registered } = form;
    this.#stopWaiting(form);
    if (registered !== undefined && tool && this.#host.update(registered, tool)) {
      form.registered = tool.name;
    } else {
      this.#unregister(form);
      if (tool) this.#add(form);
    }
    if (registered === undefined || registered === form.registered) return;
    form.calls.end('renamed');
    this.#promote(registered);
  }

  #add(form: LiveForm, { name } = form.tool as HostedTool): void {
    if (this.#hasAdded(form)) return;
    const others = this.#waiting.get(name) ?? new SafeSet();
    this.#waiting.set(name, others.add(form));
    // Names may be changing hands: only what waits after that is worth telling.
    queueTask(() => this.#waiting.get(name)?.has(form) && form.settings.isTaken?.(name, form.element));
  }

  #hasAdded(form: LiveForm): boolean {
    const tool = form.tool as HostedTool;
    const isAdded = this.#host.add(tool, (input, call) => form.calls.run(input, call));
    if (isAdded) form.registered = tool.name;
    return isAdded;
  }

  #unregister(form: LiveForm): void {
    if (form.registered !== undefined) this.#host.remove(form.registered);
    form.registered = undefined;
  }

  /** Takes a form's name from it. */
  remove(form: LiveForm): void {
    const { registered } = form;
    this.#stopWaiting(form);
    this.#unregister(form);
    if (registered !== undefined) this.#promote(registered);
  }

  #stopWaiting(form: LiveForm): void {
    for (const [name, forms] of this.#waiting) {
      if (forms.delete(form) && forms.size === 0) this.#waiting.delete(name);
    }
  }

  /** Gives a name that has become free to the form that waits for it longest. */
  #promote(name: string): void {
    const [next] = this.#waiting.get(name) ?? [];
    if (next && this.#hasAdded(next)) this.#stopWaiting(next);
  }
}
