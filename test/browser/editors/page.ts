import type { FindEditor } from '../../../src/index.js';

/** A form with an editor, which is the tool `t` in every browser. */
export interface EditorPage {
  readonly form: HTMLFormElement;
  /** The adapters that the page registers. */
  readonly editors?: readonly FindEditor[];
  /** The content that the user sees in the editor, as text. */
  text(): string;
  undo(): void;
  remove(): void;
}

export const initial = { title: 'Draft', content: '<p>First <strong>line</strong></p>' };

/**
 * Adds the form to the page until `remove` is called.
 * @param control - the control of the editor's value, with the elements around it
 */
export function addForm(control: string): { readonly form: HTMLFormElement; readonly remove: () => void } {
  const container = document.createElement('div');
  container.innerHTML = `
    <form data-toolname="t" data-tooldescription="d" data-toolautosubmit action="javascript:void 0">
      <label>Title <input name="title" required value="${initial.title}"></label>
      ${control}
      <button>Send</button>
    </form>`;
  document.body.append(container);
  // Listens outside of the form, so that the editors' own listeners have run.
  container.addEventListener('submit', (event) => {
    event.preventDefault();
    const entries = new FormData(event.target as HTMLFormElement, event.submitter);
    if (event.agentInvoked) event.respondWith(Object.fromEntries(entries));
  });
  return { form: container.querySelector('form') as HTMLFormElement, remove: () => container.remove() };
}

const loaded = new Map<string, Promise<void>>();

/** Loads a classic script or a style sheet of a package once. */
export function load(path: string): Promise<void> {
  const known = loaded.get(path) ?? addToHead(`/test/node_modules/${path}`);
  loaded.set(path, known);
  return known;
}

const addToHead = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const element = Object.assign(
      document.createElement(url.endsWith('.css') ? 'link' : 'script'),
      url.endsWith('.css') ? { rel: 'stylesheet', href: url } : { src: url },
    );
    element.addEventListener('load', () => resolve());
    element.addEventListener('error', () => reject(new Error(`${url} was not loaded.`)));
    document.head.append(element);
  });

export const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
