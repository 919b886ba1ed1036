import { getAttribute, query, windowOf, type Global } from '../../platform/dom.js';
import type { LazyPart } from '../../platform/lazy-part.js';
import { modelContextOf } from '../../platform/model-context.js';
import { portOf } from '../../platform/port.js';
import { define } from '../../platform/properties.js';
import { reportError } from '../../platform/report-error.js';
import { isAborted, onAbort } from '../../platform/signals.js';
import type { ModelContext, ToolHost } from '../../webmcp.js';
import type { ToolAttribute } from '../dom/scripted-tree.js';
import type { RegisterFormsOptions } from '../options.js';
import { observeInternals } from './internals.js';
import { DiscoveredForms } from './discovered-forms.js';
import { mayAnswerPreviousPage } from './previous-page.js';
import { Registrations } from './registrations.js';
import { defineSubmitMembers, hasOtherMembers } from './submit-members.js';

/** The exports of the modules that describe forms. */
export interface FormsPart {
  /** Takes over from the discoveredForms. Returns a function to call for a change that causes no mutation. */
  readonly startForms: (discovered: DiscoveredRoot) => (changed: Element) => void;
}

/** The key of the options of a document on its window, until their signal aborts. */
const optionsKey = Symbol.for('webmcp-forms.options');

/** The discovered forms of a root, until `startForms` takes over. */
export class DiscoveredRoot {
  readonly root: Node;
  readonly window: Global;
  readonly options: RegisterFormsOptions;
  readonly modelContext: ModelContext;
  /** Undefined if the model context is not of this polyfill. */
  readonly host: ToolHost | undefined;
  readonly registrations: Registrations | undefined;
  /** Whether the browser registers forms with `toolname` itself. */
  readonly isNative: boolean;
  readonly #lazyForms: LazyPart<FormsPart>;
  #discoveredForms: DiscoveredForms | undefined;
  #onChange = (changed: Element): void => this.#discoveredForms?.visit(changed);

  constructor(root: Node, window: Global, options: RegisterFormsOptions, lazyForms: LazyPart<FormsPart>) {
    const { host = portOf(window)?.hostOf(window.document), signal } = options;
    this.root = root;
    this.window = window;
    this.options = options;
    this.modelContext = modelContextOf(window) as ModelContext;
    this.host = host;
    this.#lazyForms = lazyForms;
    this.isNative = host === undefined && hasOtherMembers(window);
    if (!this.isNative) defineSubmitMembers(window);
    observeInternals(window, () => undefined, signal);
    // For <webmcp-tool> elements.
    if (root.nodeType === 9) define(window, optionsKey, { value: options, configurable: true });
    this.registrations = host && new Registrations(host);
    onAbort(signal, () => this.#discoveredForms?.end());
    if (host) host.onBeforeRead(() => this.discoveredForms.update(), signal);
    else this.discoveredForms.update();
    this.#listen();
  }

  /** Registers the names of the forms, from the first use on. */
  get discoveredForms(): DiscoveredForms {
    return (this.#discoveredForms ??= new DiscoveredForms(this.root, {
      nameOf: (form) => this.#nameOf(form),
      registrations: this.registrations,
      onForm: () => this.host ?? this.#startSoon(),
    }));
  }

  /** Handles a change that causes no mutation. */
  readonly onChange = (changed: Element): void => this.#onChange(changed);

  /** Whether a form is registered by this script: browsers with WebMCP register the others. */
  isOurs(form: Element): boolean {
    return !this.isNative || !getAttribute(form, 'toolname') || getAttribute(form, 'tooldescription') === null;
  }

  #listen(): void {
    const { host, window } = this;
    const { signal, onDiagnostic } = this.options;
    const stop = this.#lazyForms.onLoad(({ startForms }) => {
      this.#onChange = startForms(this);
    });
    onAbort(signal, stop);
    host?.onFirstUse(() => this.#lazyForms.load(), signal);
    if (onDiagnostic || mayAnswerPreviousPage(window)) this.#startSoon();
  }

  /** Loads the modules that describe forms before an agent uses the tools. */
  #startSoon(): void {
    this.#lazyForms.use(undefined, reportError);
  }

  #nameOf(form: Element): string | null {
    if (!this.isOurs(form)) {
      // The browser fills controls, whose editors then have to be updated.
      if (query(form, 'textarea, input[type=hidden]').length > 0) this.#startSoon();
      return null;
    }
    const { annotate } = this.options;
    const annotation = (name: ToolAttribute): string | null =>
      getAttribute(form, name) ?? annotate?.(form, name) ?? getAttribute(form, `data-${name}`);
    return annotation('tooldescription') === null ? null : annotation('toolname') || null;
  }
}

/**
 * DiscoveredForms the annotated forms of a root, and registers their names with the polyfill that serves the window. Forms are
 * described at the first use of the tools; with the browser's own model context, as soon as a form is discovered. Returns a
 * function to call for a change that causes no mutation.
 */
export function discoverForms(
  root: Node,
  options: RegisterFormsOptions,
  lazyForms: LazyPart<FormsPart>,
): (changed: Element) => void {
  const window = windowOf(root);
  if (!window?.isSecureContext || (options.signal && isAborted(options.signal))) return () => undefined;
  return new DiscoveredRoot(root, window, options, lazyForms).onChange;
}
