import type { Annotate, ModelContextTool, ProfileName, Sensitive, ToolAttribute } from '../src/index.js';
import type { ElementDiagnostic } from './diagnostic.js';
import './webmcp-param.js';
import { annotations } from './webmcp-tool/annotations.js';
import { choice } from './webmcp-tool/choice.js';
import { internalsOf, showContents } from './webmcp-tool/contents.js';
import { answerOf } from './webmcp-tool/failure.js';
import type { FormSpec, FormTool } from './webmcp-tool/form-tool.js';
import { hintsOf } from './webmcp-tool/hints.js';
import { Late } from './webmcp-tool/late.js';
import { owners } from './webmcp-tool/owners.js';
import { BaseElement, defineElement, reflect, takeEarly } from './webmcp-tool/page.js';
import { loadForm, loadWebtool } from './webmcp-tool/parts.js';
import { namedParams } from './webmcp-tool/params.js';
import { error, Problems, type Tell } from './webmcp-tool/problems.js';
import { inputSchemaOf } from './webmcp-tool/schema.js';
import { ToolCallEvent } from './webmcp-tool/tool-call-event.js';
import { ToolRegistration } from './webmcp-tool/tool-registration.js';
import type { ConnectedWebtool, WebtoolTools } from './webmcp-tool/webtool.js';
import type { WebtoolSpec } from './webmcp-tool/webtool-spec.js';

export { ToolCallEvent } from './webmcp-tool/tool-call-event.js';
export type { ConnectedWebtool } from './webmcp-tool/webtool.js';

const texts = {
  ...{ name: 'name', description: 'description', tooltitle: 'tooltitle', htmlFor: 'for' },
  ...{ profile: 'profile', sensitive: 'sensitive', src: 'src', version: 'version', hash: 'hash' },
};
const booleans = {
  ...{ autosubmit: 'autosubmit', readonlyHint: 'readonly-hint', consequentialHint: 'consequential-hint' },
  ...{ untrustedContentHint: 'untrusted-content-hint' },
};

/** What may be inside that is part of a tool: its parameters, its schema, its form. */
const inside: MutationObserverInit = {
  ...{ childList: true, subtree: true, characterData: true },
  attributeFilter: ['type', ...annotations],
};

const validName = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Makes a tool of a form that cannot be annotated, `for` its ID or inside the element, whose parameters `<webmcp-param>`
 * children describe; or declares a tool without a form, by `<webmcp-param>` children or a
 * `<script type="application/schema+json">`, which runs by the event `toolcall`; or, by `src`, makes tools of the actions of
 * a webtool. It shows nothing itself.
 *
 * @tag webmcp-tool
 * @attr {string} name - the tool's name: 1 to 128 of A-Z a-z 0-9 _ - .
 * @attr {string} description - what the tool does
 * @attr {string} tooltitle - a title for people
 * @attr {boolean} autosubmit - the form is submitted without waiting for a person
 * @attr {string} for - the ID of the form, in the same document or shadow root
 * @attr {"chromium" | "precise" | "portable"} profile - what the schema of a form is like
 * @attr {"include" | "exclude"} sensitive - whether passwords, payment data and one-time codes become parameters
 * @attr {string} src - the URL of a webtool, whose actions become tools; all above is of no use then
 * @attr {string} version - the version of the webtool; the latest if there is none
 * @attr {string} hash - the hash that the actions of the webtool had when they were reviewed: with others there are no tools
 * @attr {boolean} readonly-hint - the tool reads, and changes nothing
 * @attr {boolean} consequential-hint - the tool does something significant that cannot be taken back
 * @attr {boolean} untrusted-content-hint - its result holds content that its author does not vouch for
 * @fires {ToolCallEvent} toolcall - an agent calls the tool, which has no form: answer it by `respondWith()`
 * @fires {Event} webmcp-ready - the webtool of its `src` is connected, and its actions are being registered as tools
 * @fires {CustomEvent<ElementDiagnostic>} webmcp-diagnostic - its author has made a mistake
 * @cssstate invalid - an author mistake keeps the tool, or a parameter, from working
 * @slot - `<webmcp-param>` elements, a schema, the form
 */
export class WebmcpTool extends BaseElement {
  static readonly observedAttributes = [...Object.values(texts), ...Object.values(booleans)];

  declare name: string;
  declare description: string;
  declare tooltitle: string;
  /** Reflects `for`. */
  declare htmlFor: string;
  declare profile: string;
  declare sensitive: string;
  declare src: string;
  declare version: string;
  declare hash: string;
  declare autosubmit: boolean;
  declare readonlyHint: boolean;
  declare consequentialHint: boolean;
  declare untrustedContentHint: boolean;

  readonly #problems = new Problems(this, internalsOf(this));
  readonly #form = new Late<FormSpec, FormTool>(this, this.#problems, 'form', loadForm);
  readonly #webtool = new Late<WebtoolSpec, WebtoolTools>(this, this.#problems, 'webtool', loadWebtool);
  readonly #declared = new ToolRegistration((problem) => this.#problems.set('declared', problem ? [problem] : []));
  #observer: MutationObserver | undefined;
  #inputSchema: object | undefined;
  #config: object | undefined;
  #isScheduled = false;
  #awaited: Document | undefined;

  constructor() {
    super();
    owners.set(this, { paramsChanged: () => this.#schedule() });
    takeEarly(this, [...Object.keys(texts), ...Object.keys(booleans), 'inputSchema', 'config']);
    showContents(this);
  }

  /** The schema of a tool without a form, as an object; it wins over the children. Undefined unless a script sets it. */
  get inputSchema(): object | undefined {
    return this.#inputSchema;
  }

  set inputSchema(schema: object | undefined) {
    this.#inputSchema = schema ?? undefined;
    this.#schedule();
  }

  /**
   * What every call of the webtool of `src` carries and no agent sees, such as credentials: so it is no attribute. Another
   * one begins a new session with the webtool. Undefined unless a script sets it.
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

  /** What its author should know. */
  get diagnostics(): readonly ElementDiagnostic[] {
    this.#form.part?.diagnose();
    return this.#problems.current;
  }

  /** The form that it makes a tool of; null if there is none, or none yet. */
  get form(): HTMLFormElement | null {
    return this.#form.part?.form ?? null;
  }

  /** What the form and its controls have for annotations, for `inspectForm`. */
  get annotate(): Annotate | undefined {
    return this.#form.part?.annotate;
  }

  connectedCallback(): void {
    this.#schedule();
  }

  disconnectedCallback(): void {
    this.#schedule();
  }

  /** A move that keeps the state of what is moved. */
  connectedMoveCallback(): void {
    this.#schedule();
  }

  attributeChangedCallback(): void {
    this.#schedule();
  }

  /** What changes in one go is one change of the tool. */
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
    if (!this.isConnected || !this.ownerDocument.defaultView) return this.#stop();
    if (readyState !== 'complete') this.#await(this.ownerDocument);
    if (readyState === 'loading') return; // its children may not be parsed yet
    this.#observe();
    const isRemote = this.hasAttribute('src');
    this.#webtool.set(isRemote ? { config: this.#config, inputSchema: this.#inputSchema } : undefined);
    if (isRemote) this.#setTool([]);
    else this.#define();
  }

  #define(): void {
    const found: ElementDiagnostic[] = [];
    const tell: Tell = (diagnostic) => void found.push(diagnostic);
    const isReady = this.#check(tell);
    const hasForm = this.hasAttribute('for') || this.querySelector('form') !== null;
    const spec = hasForm ? this.#specOf(isReady, tell) : undefined;
    const tool = hasForm ? undefined : this.#toolOf(tell);
    this.#setTool(found, isReady ? tool : undefined, spec);
  }

  #setTool(found: readonly ElementDiagnostic[], tool?: ModelContextTool, spec?: FormSpec): void {
    this.#problems.set('definition', found);
    if (tool) this.#declared.set(tool, this.ownerDocument);
    else this.#declared.stop();
    this.#form.set(spec);
  }

  #stop(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#webtool.set(undefined);
    this.#setTool([]);
    this.#problems.clear();
  }

  #observe(): void {
    if (this.#observer) return;
    this.#observer = new MutationObserver(() => this.#schedule());
    this.#observer.observe(this, inside);
  }

  #await(document: Document): void {
    if (this.#awaited === document) return;
    this.#awaited = document;
    const listener = (): void => {
      if (document.readyState === 'complete') document.removeEventListener('readystatechange', listener);
      this.#schedule();
    };
    document.addEventListener('readystatechange', listener);
  }

  /** Whether the name and the description are such that there can be a tool. */
  #check(tell: Tell): boolean {
    const { name } = this;
    if (name === '') tell(error('missing-tool-name', 'The <webmcp-tool> has no name, so it is no tool: add one.'));
    else if (!validName.test(name)) tell(error('invalid-tool-name', messages.invalidName));
    const isDescribed = this.description.trim() !== '';
    if (!isDescribed) tell(error('missing-tool-description', messages.noDescription, name ? { tool: name } : {}));
    return validName.test(name) && isDescribed;
  }

  #specOf(isReady: boolean, tell: Tell): FormSpec {
    const params = namedParams(this, tell);
    const described = [...params].map(([name, param]) => [name, param.getAttribute('description') ?? ''] as const);
    const form = new Map<ToolAttribute, string>([
      ['toolname', this.name],
      ['tooldescription', this.description],
      ['tooltitle', this.tooltitle],
    ]);
    if (this.autosubmit) form.set('toolautosubmit', '');
    const words = { form, params: new Map(described.filter(([, text]) => text !== '')) };
    return {
      id: this.getAttribute('for'),
      options: {
        ...choice<ProfileName>(this, 'profile', ['chromium', 'precise', 'portable'], tell),
        ...choice<Sensitive>(this, 'sensitive', ['include', 'exclude'], tell),
        ...hintsOf(this),
      },
      words: isReady ? words : undefined,
      names: [...params.keys()],
    };
  }

  #toolOf(tell: Tell): ModelContextTool | undefined {
    const { name, tooltitle: title, description } = this;
    const inputSchema = inputSchemaOf(this, this.#inputSchema, tell);
    return inputSchema && { name, title, description, inputSchema, ...hintsOf(this), execute: this.#execute };
  }

  readonly #execute = (input: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown> => {
    const { name } = this;
    const { signal = new AbortController().signal } = options ?? {};
    return answerOf(this.ownerDocument, signal, ToolCallEvent.dispatch(this, { name, input, signal }));
  };
}

const messages = {
  invalidName:
    'The name is not 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop, so there is no tool: rename it.',
  noDescription: 'The <webmcp-tool> has no description, so it is no tool: say what it does.',
};

reflect(WebmcpTool.prototype, texts, booleans);
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
