import type { PanelEntry, PanelOptions } from './entry.js';
import { styles } from './styles.js';

/** The part of `import.meta.hot` that the panel uses. */
export interface Hot {
  on(event: string, listener: (data: unknown) => void): void;
  send(event: string): void;
}

/** Shows the suggestions of the dev server in a corner of the page. Frames have no panel. */
export function showPanel(hot: Hot, options: PanelOptions): void {
  if (window !== window.top) return;
  const panel = new Panel(options);
  hot.on(options.event, (data) => panel.update(data as readonly PanelEntry[]));
  hot.send(options.event);
}

const storageKey = 'webmcp-forms.panel';

class Panel {
  readonly #options: PanelOptions;
  readonly #host = document.createElement('webmcp-forms-panel');
  readonly #root = this.#host.attachShadow({ mode: 'open' });
  #entries: readonly PanelEntry[] = [];
  #isClosed = readState() === 'closed';

  constructor(options: PanelOptions) {
    this.#options = options;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    this.#root.adoptedStyleSheets = [sheet];
    this.#host.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#setClosed(true);
    });
  }

  update(entries: readonly PanelEntry[]): void {
    this.#entries = entries;
    if (entries.length === 0) return this.#host.remove();
    this.#render();
    if (!this.#host.isConnected) document.documentElement.append(this.#host);
  }

  #setClosed(isClosed: boolean): void {
    this.#isClosed = isClosed;
    writeState(isClosed ? 'closed' : 'open');
    this.#render();
    this.#root.querySelector('button')?.focus();
  }

  #render(): void {
    this.#root.replaceChildren(this.#isClosed ? this.#tab() : this.#section());
  }

  #tab(): Element {
    const tab = button(countText(this.#entries), () => this.#setClosed(false));
    tab.className = 'tab';
    tab.setAttribute('aria-expanded', 'false');
    return tab;
  }

  #section(): Element {
    const close = button('Hide', () => this.#setClosed(true));
    close.setAttribute('aria-expanded', 'true');
    const heading = element('h2', {}, countText(this.#entries));
    const items = this.#entries.map((entry) => this.#item(entry));
    const section = element('section', {}, element('header', {}, heading, close), element('ul', {}, ...items));
    section.setAttribute('aria-label', 'webmcp-forms');
    return section;
  }

  #item(entry: PanelEntry): Element {
    const { severity, place, title, message, attributes, canApply } = entry;
    const status = element('p', { className: 'status' });
    status.setAttribute('role', 'status');
    const actions = element('p', { className: 'actions' });
    if (attributes !== undefined) actions.append(button('Copy', () => void copy(attributes, status)));
    if (canApply) actions.append(this.#applyButton(entry, status));
    return element(
      'li',
      { className: severity },
      element('p', { className: 'place' }, place),
      element('p', { className: 'title' }, title),
      attributes === undefined ? element('p', {}, message) : element('code', {}, attributes),
      actions,
      status,
    );
  }

  #applyButton({ id }: PanelEntry, status: HTMLElement): HTMLElement {
    const write = async (): Promise<void> => {
      apply.disabled = true;
      status.textContent = 'Writing …';
      status.textContent = await this.#apply(id).catch(() => 'The dev server does not answer. Start it again.');
      apply.disabled = false;
    };
    const apply = button('Apply', () => void write());
    apply.className = 'primary';
    return apply;
  }

  async #apply(id: string): Promise<string> {
    const { url, token } = this.#options;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webmcp-forms-token': token },
      body: JSON.stringify({ id }),
    });
    return response.ok ? 'Written.' : await response.text();
  }
}

function countText(entries: readonly PanelEntry[]): string {
  const forms = entries.filter(({ severity }) => severity === 'info').length;
  const warnings = entries.length - forms;
  return [
    ...(forms > 0 ? [`${forms} ${forms === 1 ? 'form' : 'forms'} without annotations`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ].join(', ');
}

/** Pages without a secure context have no clipboard. */
async function copy(text: string, status: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = 'Copied.';
  } catch {
    status.textContent = 'The browser does not allow it. Select the attributes, and copy them.';
  }
}

function button(label: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', { type: 'button' }, label);
  created.addEventListener('click', onClick);
  return created;
}

/** Strings become text, never markup. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

/** Storage may be disabled. */
function readState(): string | null {
  try {
    return sessionStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function writeState(state: 'open' | 'closed'): void {
  try {
    sessionStorage.setItem(storageKey, state);
  } catch {
    // The panel is open on the next page.
  }
}
