import { expect } from '@open-wc/testing';
import '../../elements/webmcp-inspector.js';
import type { WebmcpInspector } from '../../elements/webmcp-inspector.js';
import { pace } from '../../elements/webmcp-inspector/forms/forms-watch.js';
import { afterTest, live, place, waitUntil } from '../support/browser/live.js';

beforeEach(() => Object.assign(pace, { min: 0, max: 0 }));

/** Adds an inspector to the page until the end of the test. */
function inspector(): WebmcpInspector {
  const element = Object.assign(document.createElement('webmcp-inspector'), { tab: 'findings' as const });
  document.body.append(element);
  afterTest(() => element.remove());
  return element;
}

const all = <Type extends Element = HTMLElement>({ shadowRoot }: WebmcpInspector, selector: string): Type[] => [
  ...(shadowRoot?.querySelectorAll<Type>(selector) ?? []),
];
const texts = (element: WebmcpInspector, selector: string): readonly string[] =>
  all(element, selector).map(({ textContent }) => (textContent ?? '').replace(/\s+/g, ' ').trim());
const details = (element: WebmcpInspector): HTMLDetailsElement | null | undefined =>
  element.shadowRoot?.querySelector('[part=forms]')?.closest('details');
const names = (element: WebmcpInspector): string => texts(element, '[part=forms] .name').join();
const lists = (element: WebmcpInspector, expected: string): Promise<void> =>
  waitUntil(() => names(element) === expected, `it lists ${expected}`);

/** Shows an inspector with the section open. */
async function opened(expected: string): Promise<WebmcpInspector> {
  const element = inspector();
  await waitUntil(() => details(element), 'the section is shown');
  details(element)?.querySelector('summary')?.click();
  await lists(element, expected);
  return element;
}

/** Replaces the clipboard, and returns the function that presses the button of a form and waits for the text. */
function clipboard(element: WebmcpInspector): (name: string) => Promise<string> {
  let copied = '';
  const writeText = (value: string): Promise<void> => Promise.resolve(void (copied = value));
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  afterTest(() => void Reflect.deleteProperty(navigator, 'clipboard'));
  return async (name) => {
    copied = '';
    all(element, `[aria-label="Copy start tag: ${name}"]`)[0]?.click();
    await waitUntil(() => copied, 'the tag is copied');
    return copied;
  };
}

const search =
  '<form action="/search"><label>Title <input name=q type=search></label><button>Search books</button></form>';
const login =
  '<form method=post action=/login><label>User <input name=user></label><label>Password <input type=password name=p></label><button>Log in</button></form>';
const unclear = '<form method=post><input name=a1><button>Go</button></form>';

const isSuggestionLoaded = (): boolean =>
  performance.getEntriesByType('resource').some(({ name }) => name.includes('/suggest-forms.'));

describe('<webmcp-inspector> for forms without annotations', () => {
  // The first test of the file, because modules are loaded once.
  it('loads the suggestion modules when the section with such forms is opened', async () => {
    live();
    place('<form data-toolname=f data-tooldescription="Finds."><input name=a aria-label=a><button>Go</button></form>');
    const element = inspector();
    await waitUntil(() => texts(element, '[role=option]').length === 1, 'the tool is listed');
    expect(all(element, '[part=forms]')).to.have.length(0);
    place(search);
    await waitUntil(() => texts(element, 'summary').includes('Forms without annotations (1)'), 'the form is counted');
    expect([isSuggestionLoaded(), details(element)?.open]).to.deep.equal([false, false]);
    details(element)?.querySelector('summary')?.click();
    await lists(element, 'search_books');
    expect(isSuggestionLoaded()).to.equal(true);
  });

  it('lists them with a name, a description and the confidence', async () => {
    place(search);
    place(unclear);
    const element = await opened('search_books,submit_form');
    expect(texts(element, '[part=forms] .badge')).to.deep.equal(['high confidence', 'low confidence']);
    const [first = '', second = ''] = texts(element, '[part=forms] li');
    expect(first).to.include('Searches for books').and.to.include('the tag has toolautosubmit');
    expect(second).to.include('The page says little about the form.').and.not.to.include('toolautosubmit');
    expect(texts(element, '[part=forms] .badge.warning')).to.deep.equal(['low confidence']);
  });

  it('warns about forms that a person should submit', async () => {
    place(login);
    const element = await opened('log_in');
    expect(texts(element, '[part=forms] .warning').join()).to.equal(
      'This form is a login, which a person should submit. Annotate it only if agents may fill it in.',
    );
  });

  it('leaves out tools, dialogs, forms of <webmcp-tool>, and forms without a field or a button', async () => {
    await import('../../elements/webmcp-tool.js');
    live();
    place('<form toolname=t tooldescription=d><input name=a aria-label=a><button>Go</button></form>');
    place('<form data-tooltitle=t><button>Go</button></form>');
    place('<form method=dialog><button>Close</button></form>');
    place('<form><input type=hidden name=a><output></output></form>');
    place('<form id=claimed><input name=w aria-label=Word><button>Go</button></form>');
    place('<webmcp-tool for=claimed name=by_element description="Finds words."></webmcp-tool>');
    place(search);
    const element = await opened('search_books');
    expect(texts(element, 'summary')).to.include('Forms without annotations (1)');
  });

  it('follows the page: added, annotated, changed and removed forms', async () => {
    const form = place(search);
    const element = await opened('search_books');
    const other = place(login);
    await lists(element, 'search_books,log_in');
    const button = form.querySelector('button');
    if (button) button.textContent = 'Search magazines';
    await lists(element, 'search_magazines,log_in');
    form.setAttribute('toolname', 'find');
    await lists(element, 'log_in');
    other.remove();
    await waitUntil(() => !details(element), 'the section is gone');
  });

  it('does not suggest the name of an existing tool, and keeps the focus when the page changes', async () => {
    const controller = new AbortController();
    afterTest(() => controller.abort());
    const tool = { name: 'search_books', description: 'd', execute: () => null };
    await document.modelContext.registerTool(tool, { signal: controller.signal });
    place(search);
    const element = inspector();
    await waitUntil(() => details(element), 'the section is shown');
    details(element)?.querySelector('summary')?.click();
    const isOther = (name: string): boolean => /^search_\w+$/.test(name) && name !== 'search_books';
    await waitUntil(() => isOther(names(element)), 'a name is suggested that no tool has');
    const [button] = all<HTMLButtonElement>(element, '[part=forms] li button');
    button?.focus();
    place(login);
    await waitUntil(() => names(element).includes('log_in'), 'the other form is listed');
    expect(element.shadowRoot?.activeElement === button && button?.isConnected).to.equal(true);
  });

  it('finds forms in open shadow trees, and outlines them', async () => {
    const root = document.createElement('div').attachShadow({ mode: 'open' });
    document.body.append(root.host);
    afterTest(() => root.host.remove());
    root.innerHTML = search;
    const element = await opened('search_books');
    root.innerHTML += login;
    await lists(element, 'search_books,log_in');
    all(element, '[aria-label="Show on page: log_in"]')[0]?.click();
    await waitUntil(() => all(element, '[part=outline]').length === 1, 'the form is outlined');
  });

  it('copies the start tag of the form with the added annotations', async () => {
    const form = place(search);
    const values = { class: 'a  b', 'data-x': `"'<&amp;>\n\u00a0é`, novalidate: '', 'data-empty': '' };
    for (const [name, value] of Object.entries(values)) form.setAttribute(name, value);
    const element = await opened('search_books');
    const copied = await clipboard(element)('search_books');
    expect(copied).to.match(
      /^<form toolname="search_books" tooltitle="[^"]+" tooldescription="[^"]+" toolautosubmit action="\/search" /,
    );
    const parsed = new DOMParser().parseFromString(copied, 'text/html').querySelector('form');
    for (const { name, value } of form.attributes) expect(parsed?.getAttribute(name)).to.equal(value);
    expect(parsed?.attributes.length).to.equal(form.attributes.length + 4);
    await waitUntil(
      () => texts(element, '[role=log]').join().includes('The start tag of search_books was copied.'),
      'the copy is announced',
    );
    expect(texts(element, '[part=forms] .done')).to.deep.equal(['Copied.']);
  });

  it('shows the start tag selected where the clipboard is not available', async () => {
    place(search);
    const element = await opened('search_books');
    const refuse = (): Promise<never> => Promise.reject(new DOMException('no', 'NotAllowedError'));
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: refuse } });
    afterTest(() => void Reflect.deleteProperty(navigator, 'clipboard'));
    all(element, '[aria-label^="Copy start tag"]')[0]?.click();
    await waitUntil(() => element.shadowRoot?.activeElement?.id === 'copy-tag', 'the text has the focus');
    const [area] = all<HTMLTextAreaElement>(element, '#copy-tag');
    expect(area?.value).to.include('toolname="search_books"');
    expect((area?.selectionEnd ?? 0) - (area?.selectionStart ?? 0)).to.equal(area?.value.length);
  });

  it('shows strings of the page as text, also for a form whose controls clobber its members', async () => {
    place(
      '<form id=evil action="/search"><label>&lt;img src=x onerror="hacked = 1"&gt; <input name=attributes type=search></label>' +
        ['getAttribute', 'namespaceURI', 'elements', 'localName', 'ownerDocument', 'getRootNode']
          .map((name) => `<input name=${name} aria-label="${name}">`)
          .join('') +
        '<button>Find &lt;b class=injected&gt;words&lt;/b&gt;</button></form>',
    );
    const element = inspector();
    await waitUntil(() => details(element), 'the section is shown');
    details(element)?.querySelector('summary')?.click();
    await waitUntil(() => all(element, '[part=forms] .badge').length === 1, 'the form is listed');
    expect(all(element, 'img, .injected')).to.have.length(0);
    expect(await clipboard(element)(names(element))).to.match(/ id="evil" action="\/search">$/);
    expect('hacked' in window).to.equal(false);
  });

  it('lists the first 200 of many forms, and their total number', async () => {
    const box = document.createElement('div');
    box.innerHTML = search.repeat(230);
    document.body.append(box);
    afterTest(() => box.remove());
    const element = inspector();
    await waitUntil(() => details(element), 'the section is shown');
    details(element)?.querySelector('summary')?.click();
    await waitUntil(() => all(element, '[part=forms] .badge').length === 200, 'the forms are listed');
    expect(texts(element, 'summary')).to.include('Forms without annotations (230)');
    expect(texts(element, '[part=forms] > .quiet').at(-1)).to.equal(
      '30 more forms are not listed. Annotate these first.',
    );
    expect(new Set(names(element).split(',')).size).to.equal(200);
  });

  it('does not update the list while it is hidden', async () => {
    place(search);
    const element = await opened('search_books');
    element.hidden = true;
    await waitUntil(() => !element.isShown, 'it is hidden');
    place(login);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(names(element)).to.equal('search_books');
    element.hidden = false;
    await lists(element, 'search_books,log_in');
  });

  it('updates the list after it was hidden and shown again before the browser renders', async () => {
    place(search);
    const element = await opened('search_books');
    const setTimeout = Reflect.get(window, 'setTimeout');
    const tasks: (() => void)[] = [];
    const hold = (steps: () => void, delay?: number): number =>
      delay === undefined ? tasks.push(steps) : setTimeout(steps, delay);
    window.setTimeout = hold as typeof setTimeout;
    afterTest(() => (window.setTimeout = setTimeout));
    element.style.width = '50%'; // the inspector checks in a task whether it is shown
    await waitUntil(() => tasks.length > 0, 'the inspector has noticed its size');
    window.setTimeout = setTimeout;
    element.hidden = true;
    for (const steps of tasks) steps();
    expect(element.isShown).to.equal(false);
    element.hidden = false;
    place(login);
    await lists(element, 'search_books,log_in');
  });

  for (const scheme of ['light', 'dark'])
    it(`has no accessibility violations in the ${scheme} scheme`, async () => {
      const root = document.documentElement;
      root.style.cssText = `color-scheme: ${scheme}; background: ${scheme === 'dark' ? '#000' : '#fff'}`;
      afterTest(() => root.removeAttribute('style'));
      for (const form of [search, login, unclear]) place(form);
      const element = await opened('search_books,log_in,submit_form');
      await clipboard(element)('log_in');
      await element.updateComplete;
      await expect(element).to.be.accessible();
    });
});
