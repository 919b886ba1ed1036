import type { Annotate, ModelContextTool } from '../src/index.js';
import type { ElementDiagnostic } from './diagnostic.js';
import './webmcp-param.js';
import { isIgnored } from './form-access.js';
import { annotationNames } from './webmcp-tool/annotation-names.js';
import { annotationsOf, checkTexts, inputSchemaOf, formSpecOf, selectorOf } from './webmcp-tool/definition.js';
import { Diagnostics, type Report } from './webmcp-tool/diagnostics.js';
import {
  attributeNames,
  BaseElement,
  defineElement,
  paramListeners,
  reflect,
  renderSlot,
  upgradeProperties,
} from './webmcp-tool/element-base.js';
import type { FormSpec, FormTool } from './webmcp-tool/form/form-tool.js';
import { LazyPart, loadForm, loadWebtool } from './webmcp-tool/lazy-part.js';
import { ToolCallEvent } from './webmcp-tool/tool-call-event.js';
import { answerOf, ToolRegistration } from './webmcp-tool/tool-registration.js';
import type { ConnectedWebtool, WebtoolTools, WebtoolSpec } from './webmcp-tool/webtool.js';

export { ToolCallEvent } from './webmcp-tool/tool-call-event.js';
export type { ConnectedWebtool } from './webmcp-tool/webtool.js';

const strings = [
  'name',
  'description',
  'tooltitle',
  'htmlFor',
  'forName',
  'forAction',
  'profile',
  'sensitive',
  'response',
  'submitter',
  'src',
  'version',
  'hash',
  'trust',
];
const booleans = ['autosubmit', 'optional', 'readonlyHint', 'consequentialHint', 'untrustedContentHint'];

/** Changes of the parameters, the schema script and the form inside the element. */
const observedChanges: MutationObserverInit = {
  childList: true,
  subtree: true,
  characterData: true,
  attributeFilter: ['type', ...annotationNames],
};

function internalsOf(element: HTMLElement): ElementInternals | undefined {
  try {
    return element.attachInternals();
  } catch {
    return undefined; // another script has already attached the internals
  }
}

/**
 * Declares tools of a page. With a selector (`for`, `for-name`, `for-action`) or a form inside, it makes a form without annotations a tool and describes its
 * parameters by `<webmcp-param>` children. Without a form, it declares a tool by `<webmcp-param>` children or a
 * `<script type="application/schema+json">`; the event `toolcall` runs it. With `src`, it registers the actions of a webtool
 * as tools. The element itself is not rendered.
 *
 * @tag webmcp-tool
 * @attr {string} name - the name of the tool: 1 to 128 of A-Z a-z 0-9 _ - .
 * @attr {string} description - the description of the tool
 * @attr {string} tooltitle - a title for people
 * @attr {boolean} autosubmit - whether the form is submitted without a review by the user
 * @attr {string} for - the ID of the form, in the same document or shadow root
 * @attr {string} for-name - the attribute `name` of the form, instead of `for` or besides it
 * @attr {string} for-action - the attribute `action` of the form as written; without a query, it matches each query
 * @attr {boolean} optional - whether the selected form may be absent, so that its absence is not reported
 * @attr {"chromium" | "precise" | "portable"} profile - the profile of the form's input schema; the page's by default
 * @attr {"include" | "exclude"} sensitive - whether passwords, payment data and one-time codes become parameters
 * @attr {"page" | "fetch"} response - the result of a call: the next page, or the response to a `fetch` instead of a navigation
 * @attr {string} submitter - the submit button that calls press: its name, `name=value` or label
 * @attr {string} src - the URL of a webtool whose actions become tools; the attributes above are ignored then
 * @attr {string} version - the version of the webtool; the latest by default
 * @attr {string} hash - the expected hash of the webtool's actions. If they have another hash, no tool is registered
 * @attr {"report" | "refuse" | "off"} trust - the reaction to changed actions of a webtool without `hash`
 * @attr {boolean} readonly-hint - the tool changes nothing
 * @attr {boolean} consequential-hint - the tool does something significant that cannot be undone
 * @attr {boolean} untrusted-content-hint - the result has content from third parties
 * @fires {ToolCallEvent} toolcall - A call of a tool without a form. Answer it by `respondWith()`.
 * @fires {Event} webmcp-ready - The webtool of `src` is connected, and its actions are being registered.
 * @fires {CustomEvent<ElementDiagnostic>} webmcp-diagnostic - An author mistake was found.
 * @cssstate invalid - an author mistake disables the tool or a parameter
 * @slot - `<webmcp-param>` elements, a schema script, the form
 */
export class WebmcpTool extends BaseElement {
  static readonly observedAttributes = attributeNames(...strings, ...booleans);

  declare name: string;
  declare description: string;
  declare tooltitle: string;
  /** Reflects `for`. */
  declare htmlFor: string;
  declare forName: string;
  declare forAction: string;
  declare profile: string;
  declare sensitive: string;
  declare response: string;
  declare submitter: string;
  declare src: string;
  declare version: string;
  declare hash: string;
  declare trust: string;
  declare autosubmit: boolean;
  declare optional: boolean;
  declare readonlyHint: boolean;
  declare consequentialHint: boolean;
  declare untrustedContentHint: boolean;

  readonly #diagnostics = new Diagnostics(this, internalsOf(this));
  readonly #form = new LazyPart<FormSpec, FormTool>(this, this.#diagnostics, 'form', loadForm);
  readonly #webtool = new LazyPart<WebtoolSpec, WebtoolTools>(this, this.#diagnostics, 'webtool', loadWebtool);
  readonly #declared = new ToolRegistration((found) => this.#diagnostics.set('declared', found ? [found] : []));
  #observer: MutationObserver | undefined;
  #inputSchema: object | undefined;
  #config: object | undefined;
  #isScheduled = false;
  #loading: Document | undefined;

  constructor() {
    super();
    paramListeners.set(this, () => this.#schedule());
    upgradeProperties(this, [...strings, ...booleans, 'inputSchema', 'config']);
    renderSlot(this);
  }

  /**
   * The input schema of a tool without a form. It takes precedence over the children.
   *
   * @default undefined
   */
  get inputSchema(): object | undefined {
    return this.#inputSchema;
  }

  set inputSchema(schema: object | undefined) {
    this.#inputSchema = schema ?? undefined;
    this.#schedule();
  }

  /**
   * Values sent with every call of the webtool of `src` and hidden from agents, such as credentials. A new value starts a
   * new session with the webtool.
   *
   * @default undefined
   */
  get config(): object | undefined {
    return this.#config;
  }

  set config(config: object | undefined) {
    this.#config = config ?? undefined;
    this.#schedule();
  }

  /** The webtool of `src`; undefined while it is not connected. */
  get webtool(): ConnectedWebtool | undefined {
    return this.#webtool.part?.webtool;
  }

  /** The current author mistakes. */
  get diagnostics(): readonly ElementDiagnostic[] {
    this.#form.part?.diagnose();
    return this.#diagnostics.current;
  }

  /** The form of the tool, if it was found. */
  get form(): HTMLFormElement | null {
    return this.#form.part?.form ?? null;
  }

  /** The annotations of the form and its controls, for `inspectForm`. */
  get annotate(): Annotate | undefined {
    return this.#form.part?.annotate;
  }

  connectedCallback(): void {
    this.#schedule();
  }

  disconnectedCallback(): void {
    this.#schedule();
  }

  /** `moveBefore()` calls this instead of disconnectedCallback and connectedCallback. */
  connectedMoveCallback(): void {
    this.#schedule();
  }

  attributeChangedCallback(): void {
    this.#schedule();
  }

  /** Batches all changes of a task. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#update();
    });
  }

  #update(): void {
    const { readyState } = this.ownerDocument;
    if (!this.isConnected || !this.ownerDocument.defaultView || isIgnored(this)) return this.#stop();
    if (readyState !== 'complete') this.#updateOnLoad(this.ownerDocument);
    if (readyState === 'loading') return; // the children may not be parsed yet
    this.#observe();
    const isRemote = this.hasAttribute('src');
    this.#webtool.set(isRemote ? { config: this.#config, inputSchema: this.#inputSchema } : undefined);
    if (isRemote) this.#setTool([]);
    else this.#define();
  }

  #define(): void {
    const found: ElementDiagnostic[] = [];
    const report: Report = (diagnostic) => void found.push(diagnostic);
    const isValid = checkTexts(this, report);
    const hasForm = selectorOf(this).length > 0 || this.querySelector('form') !== null;
    const spec = hasForm ? formSpecOf(this, isValid, report) : undefined;
    const tool = hasForm ? undefined : this.#toolOf(report);
    this.#setTool(found, isValid ? tool : undefined, spec);
  }

  #setTool(found: readonly ElementDiagnostic[], tool?: ModelContextTool, spec?: FormSpec): void {
    this.#diagnostics.set('definition', found);
    if (tool) this.#declared.set(tool, this.ownerDocument);
    else this.#declared.stop();
    this.#form.set(spec);
  }

  #stop(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#webtool.set(undefined);
    this.#setTool([]);
    this.#diagnostics.clear();
  }

  #observe(): void {
    if (this.#observer) return;
    this.#observer = new MutationObserver(() => this.#schedule());
    this.#observer.observe(this, observedChanges);
  }

  #updateOnLoad(document: Document): void {
    if (this.#loading === document) return;
    this.#loading = document;
    const listener = (): void => {
      if (document.readyState === 'complete') document.removeEventListener('readystatechange', listener);
      this.#schedule();
    };
    document.addEventListener('readystatechange', listener);
  }

  #toolOf(report: Report): ModelContextTool | undefined {
    const { name, tooltitle: title, description } = this;
    const inputSchema = inputSchemaOf(this, this.#inputSchema, report);
    return inputSchema && { name, title, description, inputSchema, ...annotationsOf(this), execute: this.#execute };
  }

  readonly #execute = (input: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown> => {
    const { name } = this;
    const { signal = new AbortController().signal } = options ?? {};
    return answerOf(this.ownerDocument, signal, ToolCallEvent.dispatch(this, { name, input, signal }));
  };
}

reflect(WebmcpTool.prototype, strings, booleans);
defineElement('webmcp-tool', WebmcpTool);

declare global {
  interface HTMLElementTagNameMap {
    'webmcp-tool': WebmcpTool;
  }
  interface HTMLElementEventMap {
    toolcall: ToolCallEvent;
    'webmcp-ready': Event;
    'webmcp-diagnostic': CustomEvent<ElementDiagnostic>;
  }
}
