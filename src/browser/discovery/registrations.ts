import { MultiMap, SafeSet } from '../../platform/collections.js';
import { toolNamePattern } from '../../tool-name.js';
import type { HostedTool, RunTool, ToolHost } from '../../webmcp.js';
import type { LiveForm } from '../forms/live-form.js';

/** An annotated form. Until its tool is described, only the name of the tool is known. */
export class DiscoveredForm {
  readonly element: Element;
  /** The name that the form competes for. */
  claimed: string | undefined;
  /** The name under which the tool is registered. */
  registered: string | undefined;
  live: LiveForm | undefined;
  /** The registrations of its root, once its tool is described. */
  registrations: Registrations | undefined;
  /** Undefined if the name is invalid, or the form is not a tool. */
  tool: HostedTool | undefined;

  constructor(element: Element) {
    this.element = element;
  }

  readonly run: RunTool = (input, call) => (this.live as LiveForm).calls.run(input, call, this.registered);

  /** Sets the name of a tool that is not described yet. Returns whether it has changed. */
  notice(name: string): boolean {
    const isValid = toolNamePattern.test(name);
    if (isValid ? this.tool?.name === name : !this.tool) return false;
    this.tool = isValid ? { name, title: '', description: '', inputSchema: {} } : undefined;
    return true;
  }
}

/**
 * Registers forms with a host. Of the forms with the same name, only the first is registered, until it is removed. Forms
 * whose names are in `conflicts` are not registered.
 */
export class Registrations {
  /** The names that different forms have: in this root, or in all roots of the document once forms are described. */
  conflicts: ReadonlySet<string> = new SafeSet();
  /** The forms of each name, the first of which is registered. */
  readonly byName = new MultiMap<string, DiscoveredForm>();
  readonly #host: ToolHost;

  constructor(host: ToolHost) {
    this.#host = host;
  }

  /** Registers the first form of each name that is free, for example because a script has unregistered its tool. */
  retry(): void {
    for (const name of this.byName.keys()) this.#promote(name);
  }

  /** Notes the current name of a form's tool. */
  claim(form: DiscoveredForm): void {
    const { claimed, tool } = form;
    if (claimed === tool?.name) return;
    this.byName.move(form, claimed === undefined ? [] : [claimed], tool ? [tool.name] : []);
    form.claimed = tool?.name;
  }

  /** Registers the current tool of a form, if its name is valid and free. */
  set(form: DiscoveredForm): void {
    const { tool, registered } = form;
    this.claim(form);
    const isAllowed = tool && !this.conflicts.has(tool.name);
    if (registered !== undefined && isAllowed && this.#host.update(registered, tool)) {
      form.registered = tool.name;
    } else {
      this.#unregister(form);
      if (tool) this.#promote(tool.name);
    }
    if (registered === undefined || registered === form.registered) return;
    if (registered !== tool?.name) form.live?.calls.end('renamed');
    this.#promote(registered);
  }

  remove(form: DiscoveredForm): void {
    const { registered } = form;
    form.tool = undefined;
    this.claim(form);
    this.#unregister(form);
    if (registered !== undefined) this.#promote(registered);
  }

  #unregister(form: DiscoveredForm): void {
    if (form.registered !== undefined) this.#host.remove(form.registered);
    form.registered = undefined;
  }

  #promote(name: string): void {
    const [next] = this.byName.get(name);
    if (!next?.tool || next.registered !== undefined || this.conflicts.has(name)) return;
    if (this.#host.add(next.tool, next.run)) next.registered = name;
  }
}
