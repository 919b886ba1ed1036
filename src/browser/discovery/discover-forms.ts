import { ignoreAttribute } from '../../compiler/ignored.js';
import { getAttribute, isInside, query, windowOf, type Global } from '../../platform/dom.js';
import type { LazyPart } from '../../platform/lazy-part.js';
import { portOf } from '../../platform/port.js';
import { define } from '../../platform/properties.js';
import { reportError } from '../../platform/tasks.js';
import { onAbort } from '../../platform/signals.js';
import type { ToolHost } from '../../webmcp.js';
import type { ToolAttribute } from '../dom/scripted-tree.js';
import type { RegisterFormsOptions } from '../options.js';
import { observeInternals } from './internals.js';
import { FormIndex } from './form-index.js';
import { Registrations } from './registrations.js';
import { defineSubmitMembers, hasOtherMembers } from './submit-members.js';

/** The exports of the modules that describe forms. */
export interface FormsPart {
  readonly startForms: (discovered: DiscoveredRoot) => void;
}

/** The key of the options of a document on its window, until their signal aborts. */
const optionsKey = Symbol.for('webmcp-forms.options');

/** The prefix of the keys under which pages store the calls that the next page of the origin answers. */
export const pendingPrefix = 'webmcp-forms:';

/** Whether a page of this origin has submitted a form during a call, perhaps to this page. */
function mayAnswerPreviousPage(window: Global): boolean {
  try {
    return Object.keys(window.sessionStorage).some((key) => key.startsWith(pendingPrefix));
  } catch {
    return false; // the page may not use the storage
  }
}

/** A root whose forms are registered. */
export class DiscoveredRoot {
  readonly root: Node;
  readonly window: Global;
  readonly options: RegisterFormsOptions;
  /** Undefined if the model context is not of this polyfill. */
  readonly host: ToolHost | undefined;
  /** Without `host`, undefined until the forms are described. */
  registrations: Registrations | undefined;
  /** Whether the browser registers forms with `toolname` itself. */
  readonly isNative: boolean;
  readonly #lazyForms: LazyPart<FormsPart>;
  #index: FormIndex | undefined;

  constructor(root: Node, window: Global, options: RegisterFormsOptions, lazyForms: LazyPart<FormsPart>) {
    const { host = portOf(window)?.hostOf(window.document), signal } = options;
    this.root = root;
    this.window = window;
    this.options = options;
    this.host = host;
    this.#lazyForms = lazyForms;
    this.isNative = host === undefined && hasOtherMembers(window);
    if (!this.isNative) defineSubmitMembers(window);
    observeInternals(window, () => undefined, signal);
    // For <webmcp-tool> elements.
    if (root.nodeType === 9) define(window, optionsKey, { value: options, configurable: true });
    this.registrations = host && new Registrations(host);
    if (host) host.onBeforeRead((called) => this.index.update(called), signal);
    else this.index.update();
    this.#listen();
  }

  /** The discovered forms. They are read at the first use of the tools or, without `host`, at once. */
  get index(): FormIndex {
    return (this.#index ??= new FormIndex(this));
  }

  /** Handles a change that causes no mutation. */
  readonly onChange = (changed: Element): void => this.#index?.change(changed);

  /** The name of a form's tool; null for a form that is not a tool, or whose tool the browser registers. */
  nameOf(form: Element): string | null {
    if (!isInside(form, this.root, ignoreAttribute)) return null;
    if (this.isNative && getAttribute(form, 'toolname') && getAttribute(form, 'tooldescription') !== null) {
      // When the browser fills these controls, their editors have to be updated.
      if (query(form, 'textarea, input[type=hidden]').length > 0) this.#startSoon();
      return null;
    }
    const { annotate } = this.options;
    const annotation = (name: ToolAttribute): string | null =>
      getAttribute(form, name) ?? annotate?.(form, name) ?? getAttribute(form, `data-${name}`);
    const name = annotation('tooldescription') === null ? null : annotation('toolname') || null;
    if (name && !this.host) this.#startSoon(); // the tool is registered with its description
    return name;
  }

  #listen(): void {
    const { host, window } = this;
    const { signal, onDiagnostic } = this.options;
    onAbort(
      signal,
      this.#lazyForms.onLoad(({ startForms }) => this.#start(startForms)),
    );
    host?.onFirstUse(() => this.#lazyForms.load(), signal);
    if (onDiagnostic || mayAnswerPreviousPage(window)) this.#startSoon();
  }

  /** Describes the forms of the root. An error is reported, so that an agent can still use the tools of other roots. */
  #start(startForms: FormsPart['startForms']): void {
    if (!windowOf(this.root)) return;
    try {
      startForms(this);
    } catch (error) {
      reportError(error);
    }
  }

  /** Loads the modules that describe forms before an agent uses the tools. */
  #startSoon(): void {
    this.#lazyForms.use(undefined, reportError);
  }
}

/**
 * Discovers the annotated forms of a root, and registers their names with the polyfill that serves the window. Forms are
 * described at the first use of the tools; with the browser's own model context, as soon as a form is discovered. Returns a
 * function to call for a change that causes no mutation.
 */
export function discoverForms(
  root: Node,
  options: RegisterFormsOptions,
  lazyForms: LazyPart<FormsPart>,
): (changed: Element) => void {
  const window = windowOf(root);
  if (!window?.isSecureContext || options.signal?.aborted) return () => undefined;
  return new DiscoveredRoot(root, window, options, lazyForms).onChange;
}
