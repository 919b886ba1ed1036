import { SafeMap, SafeSet } from '../../platform/collections.js';
import { queueTask } from '../../platform/tasks.js';
import type { ToolHost } from '../../webmcp.js';
import type { DiscoveredForm } from './discovered-form.js';

/** Registers forms with a host. Of the forms with the same name, only the first is registered, until it is removed. */
export class Registrations {
  readonly #host: ToolHost;
  readonly #waiting = new SafeMap<string, Set<DiscoveredForm>>();

  constructor(host: ToolHost) {
    this.#host = host;
  }

  retry(): void {
    for (const name of [...this.#waiting.keys()]) this.#promote(name);
  }

  /** Registers the current tool of a form, if its name is valid and free. */
  set(form: DiscoveredForm): void {
    const { tool, registered } = form;
    this.#stopWaiting(form);
    if (registered !== undefined && tool && this.#host.update(registered, tool)) {
      form.registered = tool.name;
    } else {
      this.#unregister(form);
      if (tool && !this.#register(form)) this.#wait(form, tool.name);
    }
    if (registered === undefined || registered === form.registered) return;
    form.live?.end('renamed');
    this.#promote(registered);
  }

  remove(form: DiscoveredForm): void {
    const { registered } = form;
    this.#stopWaiting(form);
    this.#unregister(form);
    if (registered !== undefined) this.#promote(registered);
  }

  #wait(form: DiscoveredForm, name: string): void {
    this.#waiting.set(name, (this.#waiting.get(name) ?? new SafeSet<DiscoveredForm>()).add(form));
    form.waitsFor = name;
    // Two forms may be swapping names, so only forms that are still waiting later are reported.
    queueTask(() => this.#waiting.get(name)?.has(form) && form.live?.onNameTaken(name));
  }

  #register(form: DiscoveredForm): boolean {
    const { tool } = form;
    const isAdded = tool !== undefined && this.#host.add(tool, form.run);
    if (isAdded) form.registered = tool.name;
    return isAdded;
  }

  #unregister(form: DiscoveredForm): void {
    if (form.registered !== undefined) this.#host.remove(form.registered);
    form.registered = undefined;
  }

  #stopWaiting(form: DiscoveredForm): void {
    const name = form.waitsFor ?? '';
    const forms = this.#waiting.get(name);
    form.waitsFor = undefined;
    if (forms?.delete(form) && forms.size === 0) this.#waiting.delete(name);
  }

  /** Registers the form that has waited longest for a name. */
  #promote(name: string): void {
    const [next] = this.#waiting.get(name) ?? [];
    if (next && this.#register(next)) this.#stopWaiting(next);
  }
}
