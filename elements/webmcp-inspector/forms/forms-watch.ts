import { annotationOf, attributeOf, elementsOf, isIgnored } from '../../form-access.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { ToolEntry } from '../tools.js';
import type { Suggestion } from './suggest-forms.js';

/** A listed form. It refers to the form only weakly. */
export interface ListedForm {
  readonly id: number;
  readonly form: WeakRef<Element>;
  /** Undefined until it is known; null if the page has too little information about the form. */
  readonly suggestion: Suggestion | null | undefined;
}

/**
 * In milliseconds. The pause after a reading is `share` times its duration, clamped to `min` and `max`. A task lasts at
 * most `task`.
 */
export const pace = { min: 500, max: 5000, share: 8, task: 8 };

export const pause = (milliseconds = 0): Promise<unknown> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The maximum number of listed forms. */
const maxForms = 200;

/** The changes that affect whether a form is listed, and most of the changes that affect suggestions. */
const changes: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: [
    ...['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'].flatMap((name) => [name, `data-${name}`]),
    ...['action', 'method', 'name', 'type', 'id', 'for', 'form', 'value', 'title', 'placeholder', 'autocomplete'],
    ...['role', 'aria-label', 'aria-labelledby', 'alt'],
  ],
};

interface Suggestions {
  readonly suggestions: ReadonlyMap<Element, Suggestion | null>;
  readonly failure: string;
}

const none: Suggestions = { suggestions: new Map(), failure: '' };

/** This window and the windows of the same origin that have tools. */
export function windowsOf(host: WebmcpInspector, entries: readonly ToolEntry[]): readonly Window[] {
  const windows = new Set([window, ...entries.flatMap((entry) => entry.window.deref() ?? [])]);
  return [...windows].filter((each) => !each.closed && host.sources.documentOf(each) !== undefined);
}

/** Lists the forms without annotations while the inspector is shown, and suggests annotations while the section is open. */
export class FormsWatch {
  forms: readonly ListedForm[] = [];
  /** The number of all forms. Only the first `maxForms` are listed. */
  count = 0;
  /** The reason why suggestions are unavailable, such as a file that cannot be loaded. */
  failure = '';
  readonly #host: WebmcpInspector;
  readonly #observer = new MutationObserver(() => this.#handleChange());
  readonly #ids = new WeakMap<Element, number>();
  #lastId = 0;
  #entries: readonly ToolEntry[] | undefined;
  #isOpen = false;
  #isStale = false;
  #isBusy = false;

  constructor(host: WebmcpInspector) {
    this.#host = host;
  }

  /** @param entries - a new array causes the forms to be read again */
  follow(entries: readonly ToolEntry[], isOpen: boolean): void {
    if (entries !== this.#entries || (isOpen && !this.#isOpen)) this.#isStale = true;
    [this.#entries, this.#isOpen] = [entries, isOpen];
    if (this.#isStale && !this.#isBusy) void this.#read();
  }

  get #isShown(): boolean {
    return this.#host.isShown && this.#host.isConnected;
  }

  #handleChange(): void {
    this.#isStale = true;
    if (!this.#isShown) this.#observer.disconnect();
    else if (!this.#isBusy) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isBusy = true;
    try {
      while (this.#isStale && this.#isShown) {
        this.#isStale = false;
        const start = performance.now();
        await this.#update();
        await pause(Math.min(pace.max, Math.max(pace.min, (performance.now() - start) * pace.share)));
      }
    } finally {
      this.#isBusy = false;
    }
  }

  async #update(): Promise<void> {
    const windows = windowsOf(this.#host, this.#entries ?? []);
    const pages = windows.map((each) => findPlainForms(this.#host, each));
    this.#observe(pages);
    const found = pages.flatMap(({ forms }) => forms);
    const isWanted = this.#isOpen && found.length > 0;
    const { suggestions, failure } = isWanted ? await this.#trySuggest(pages) : none;
    const forms = found.slice(0, maxForms).map((form) => this.#toListed(form, suggestions.get(form)));
    const isSame =
      found.length === this.count && failure === this.failure && contentOf(forms) === contentOf(this.forms);
    [this.forms, this.count, this.failure] = [forms, found.length, failure];
    if (!isSame) this.#host.requestUpdate();
  }

  #observe(pages: readonly PlainForms[]): void {
    this.#observer.disconnect();
    for (const { roots } of pages) for (const root of roots) this.#observer.observe(root, changes);
  }

  async #trySuggest(pages: readonly PlainForms[]): Promise<Suggestions> {
    try {
      return { suggestions: await this.#suggest(pages), failure: '' };
    } catch (error) {
      return { ...none, failure: String(error) };
    }
  }

  async #suggest(pages: readonly PlainForms[]): Promise<Suggestions['suggestions']> {
    const { suggestForms } = await import('./suggest-forms.js');
    const suggestions = new Map<Element, Suggestion | null>();
    let start = performance.now();
    for (const page of pages) {
      for (const [form, suggestion] of suggestForms(page, this.#namesIn(page.document))) {
        suggestions.set(form, suggestion);
        if (suggestions.size >= maxForms) return suggestions;
        if (performance.now() - start < pace.task) continue;
        await pause();
        start = performance.now();
      }
    }
    return suggestions;
  }

  #namesIn(document: Document): readonly string[] {
    const ofPage = (this.#entries ?? []).filter(
      ({ window }) => this.#host.sources.documentOf(window.deref()) === document,
    );
    return ofPage.map(({ name }) => name);
  }

  #toListed(form: Element, suggestion: Suggestion | null | undefined): ListedForm {
    const id = this.#ids.get(form) ?? ++this.#lastId;
    this.#ids.set(form, id);
    return { id, form: new WeakRef(form), suggestion };
  }
}

const contentOf = (forms: readonly ListedForm[]): string =>
  JSON.stringify(forms.map(({ id, suggestion }) => [id, suggestion]));

/** The forms of a document that are not tools. */
export interface PlainForms {
  readonly document: Document;
  /** The document and its open shadow trees. */
  readonly roots: readonly (Document | ShadowRoot)[];
  readonly forms: readonly Element[];
}

const htmlNamespace = 'http://www.w3.org/1999/xhtml';
const annotations = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];

/** Finds the forms in a window that have no annotations, and that an agent could fill or submit. */
export function findPlainForms(host: WebmcpInspector, window: Window): PlainForms {
  const { document } = window;
  const claimed = new Set<unknown>(Array.from(host.sources.sourcesIn(window), ({ form }) => form));
  const roots = [...host.sources.rootsIn(document)].filter((root) => !isOwn(root));
  const found = roots.flatMap((root) => [...root.querySelectorAll('form')]);
  return { document, roots, forms: found.filter((form) => !claimed.has(form) && isPlain(form) && !isIgnored(form)) };
}

/** Whether a root is the shadow tree of the inspector or of another element of the package. */
const isOwn = (root: Document | ShadowRoot): boolean => 'host' in root && root.host.localName.startsWith('webmcp-');

const isPlain = (form: Element): boolean =>
  Reflect.get(Element.prototype, 'namespaceURI', form) === htmlNamespace &&
  annotations.every((name) => annotationOf(form, name) === null) &&
  attributeOf(form, 'method')?.toLowerCase() !== 'dialog' &&
  elementsOf(form).some(isUsable);

const isUsable = (control: Element): boolean =>
  !/^(?:fieldset|object|output)$/.test(control.localName) && attributeOf(control, 'type')?.toLowerCase() !== 'hidden';
