import type { PanelEntry, PanelOptions } from './entry.js';

/** The part of `import.meta.hot` that the panel uses. */
interface Hot {
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

/** Copies text, except in pages without a secure context, which have no clipboard. */
async function copy(text: string, status: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = 'Copied.';
  } catch {
    status.textContent = 'The clipboard is not available. Select the attributes, and copy them.';
  }
}

function button(label: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', { type: 'button' }, label);
  created.addEventListener('click', onClick);
  return created;
}

/** Creates an element. Strings become text, never markup. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

/** The stored state; null if storage is disabled. */
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
    // Storage is disabled, so the panel is open on the next page.
  }
}

const styles = `
:host {
  all: initial;
  position: fixed;
  inset: auto 16px 16px auto;
  z-index: 99998; /* below the overlay of Vite */
  color-scheme: light dark;
  font: 14px/1.45 system-ui, sans-serif;
  color: light-dark(#1c2430, #e6eaf0);
}
section, .tab {
  background: light-dark(#fff, #1b212b);
  border: 1px solid light-dark(#c9d1dc, #414c5c);
  border-radius: 10px;
  box-shadow: 0 6px 24px rgb(0 0 0 / 25%);
}
section {
  display: flex;
  flex-direction: column;
  width: min(380px, 100vw - 32px);
  max-height: min(460px, 100vh - 32px);
  overflow: hidden;
}
header {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
  padding: 10px 14px;
  border-bottom: 1px solid light-dark(#e1e6ed, #333d4b);
}
h2 { margin: 0; font-size: 14px; font-weight: 600; }
ul { margin: 0; padding: 0; list-style: none; overflow: auto; }
li { padding: 12px 14px; }
li + li { border-top: 1px solid light-dark(#e1e6ed, #333d4b); }
p { margin: 0; overflow-wrap: anywhere; }
.place { color: light-dark(#566173, #a2adbd); font: 12px/1.45 ui-monospace, monospace; }
.title { font-weight: 600; }
.warning .title { color: light-dark(#8a4b00, #ffb454); }
code {
  display: block;
  margin-top: 8px;
  padding: 8px;
  max-height: 84px;
  overflow: auto;
  overflow-wrap: anywhere;
  border-radius: 6px;
  background: light-dark(#f1f4f8, #10151c);
  font: 12px/1.45 ui-monospace, monospace;
  user-select: all;
}
.actions { display: flex; gap: 8px; margin-top: 8px; }
.actions:empty, .status:empty { display: none; }
.status { margin-top: 6px; color: light-dark(#566173, #a2adbd); font-size: 13px; }
button {
  min-height: 30px;
  padding: 2px 12px;
  border: 1px solid light-dark(#c9d1dc, #414c5c);
  border-radius: 6px;
  background: light-dark(#fff, #262e3a);
  color: inherit;
  font: inherit;
  cursor: pointer;
}
button:hover { background: light-dark(#f1f4f8, #303a48); }
button:focus-visible { outline: 2px solid light-dark(#1a5fb4, #7ab8ff); outline-offset: 2px; }
button:disabled { opacity: 0.6; cursor: default; }
.primary { border-color: transparent; background: light-dark(#1a5fb4, #7ab8ff); color: light-dark(#fff, #0b1a2c); }
.primary:hover { background: light-dark(#154c90, #9bcaff); }
.tab { min-height: 36px; padding: 4px 14px; border-radius: 18px; font-weight: 600; }
@media print { :host { display: none; } }
`;
