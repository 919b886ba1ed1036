import { expect } from '@open-wc/testing';
import type { WebmcpReview } from '../../elements/webmcp-review.js';
import '../../elements/webmcp-review.js';
import { heldBack } from './held.js';
import { afterTest, call, isNative, names, place, settled, waitUntil } from '../browser/live.js';

const attributes = 'toolname=t tooldescription=d action="javascript:void 0"';
const form = (controls: string, more = ''): HTMLFormElement =>
  place(`<form ${attributes} ${more}>${controls}<button>Go</button></form>`);
const entriesOf = (form: HTMLFormElement): string =>
  Array.from(new FormData(form), ([name, value]) => `${name},${value as string}`).join(';');
const review = (): WebmcpReview => {
  const element = document.body.appendChild(document.createElement('webmcp-review'));
  afterTest(() => element.remove());
  return element;
};
const parts = (element: WebmcpReview, part: string): HTMLElement[] => [
  ...(element.shadowRoot as ShadowRoot).querySelectorAll<HTMLElement>(`[part=${part}]`),
];
const text = (element: Element | null | undefined): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
const rows = (element: WebmcpReview): string[] =>
  parts(element, 'row').map((row) =>
    ['[part=label]', '[part=before] dd', '[part=now] dd', '[part=by]']
      .map((part) => text(row.querySelector(part)))
      .join('|'),
  );
const shows = (element: WebmcpReview): Promise<void> => waitUntil(() => parts(element, 'review').length > 0);
const gone = (element: WebmcpReview): Promise<void> => waitUntil(() => !element.showing);
/** Presses Approve as soon as it can be pressed. */
async function approve(element: WebmcpReview): Promise<void> {
  await waitUntil(() => parts(element, 'approve')[0]?.hasAttribute('aria-disabled') === false);
  parts(element, 'approve')[0]?.click();
}
const control = (element: HTMLFormElement, name: string): HTMLInputElement =>
  element.querySelector(`[name=${name}]`) as HTMLInputElement;

// Of two calls of one form, Chromium 156 crashes when the older one is aborted.
let newest: AbortController;

function run(input: object): { result: Promise<unknown>; abort: () => void } {
  const controller = (newest = new AbortController());
  const listed = waitUntil(async () => (await names()).includes('t')).then(settled);
  const result = listed
    .then(() => call(input, { signal: controller.signal }))
    .catch((error: unknown) => (error as DOMException).message);
  afterTest(() => {
    if (controller === newest) controller.abort();
  });
  return { result, abort: () => controller.abort() };
}

/** What the review loads later, so that it sees the first call. */
before(() => import('../../elements/webmcp-review/native.js'));
afterEach(settled);

(isNative ? describe : describe.skip)('<webmcp-review> where the browser fills the form itself', () => {
  it('shows what was filled in, with what the controls held before', async () => {
    const element = review();
    form(
      `<input name=a value=old><label><input type=radio name=r value=x checked>X</label><label><input type=radio name=r value=y>Y</label>
       <select name=s><option>1<option>2</select><input type=checkbox name=c>`,
    );
    run({ a: 'new', r: 'y', s: '2', c: true });
    await shows(element);
    expect(rows(element)).to.deep.equal(['a|old|new|', 'r|X|Y|', 's|1|2|', 'c|off|on|']);
  });

  it('knows what the person typed before, and shows the radio button that was first to change', async () => {
    const element = review();
    const tool = form(
      '<input name=a value=old><input type=radio name=r value=x checked><input type=radio name=r value=y>',
    );
    await settled();
    control(tool, 'a').focus();
    document.execCommand('selectAll');
    document.execCommand('insertText', false, 'typed');
    await settled();
    run({ r: 'y', a: 'new' });
    await shows(element);
    expect(rows(element)).to.deep.equal(['a|typed|new|', 'r|x|y|']);
  });

  it('shows nothing for a form that submits by itself, nor for a call that the browser refuses', async () => {
    const element = review();
    const tool = form('<input name=a type=number>');
    expect(await run({ a: 'x' }).result).to.match(/Invalid value/);
    expect(element.showing).to.equal(false);
    tool.setAttribute('toolautosubmit', '');
    await settled();
    await run({ a: 1 }).result;
    expect(element.showing).to.equal(false);
  });

  it('approves, and the call gets what the page answers', async () => {
    const element = review();
    const tool = form('<input name=a>');
    tool.addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith('done');
    });
    const { result } = run({ a: 'x' });
    await shows(element);
    await approve(element);
    expect(await result).to.equal('done');
    await gone(element);
  });

  it('keeps the call where the form is not valid yet, which the browser alone would end', async () => {
    const element = review();
    const tool = form('<input name=a>');
    tool.addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith('done');
    });
    const { result } = run({ a: 'x' });
    await shows(element);
    control(tool, 'a').setCustomValidity('no');
    await approve(element);
    await waitUntil(() => text(parts(element, 'problem')[0]).includes('not-valid'));
    control(tool, 'a').setCustomValidity('');
    await approve(element);
    expect(await result).to.equal('done');
  });

  it('undoes: the call ends, and the form has what it had before, not its defaults', async () => {
    const element = review();
    const tool = form(
      `<input name=a value=default><input name=b value=default><select name=s><option>1<option>2</select>
       <input type=radio name=r value=x checked><input type=radio name=r value=y>`,
    );
    control(tool, 'a').value = 'before';
    control(tool, 'b').value = 'mine';
    const { result } = run({ a: 'new', s: '2', r: 'y' });
    await shows(element);
    parts(element, 'undo')[0]?.click();
    expect(await result).to.match(/reset/);
    await gone(element);
    expect(entriesOf(tool)).to.equal('a,before;b,mine;s,1;r,x');
  });

  it('says so where the page does not let the form be reset, and puts the values back', async () => {
    const element = review();
    const tool = form('<input name=a value=old>');
    tool.addEventListener('reset', (event) => event.preventDefault());
    run({ a: 'new' });
    await shows(element);
    parts(element, 'undo')[0]?.click();
    await waitUntil(() => text(parts(element, 'problem')[0]).includes('undo-prevented'));
    expect(control(tool, 'a').value).to.equal('old');
  });

  for (const [what, end, sentence] of [
    ['the caller gives up', (_: HTMLFormElement, abort: () => void) => abort(), 'has ended before you approved it'],
    ['the form is reset', (tool: HTMLFormElement) => tool.reset(), 'was reset'],
    ['the form is removed', (tool: HTMLFormElement) => tool.remove(), 'has taken the form away'],
    [
      'its tool changes',
      (tool: HTMLFormElement) => tool.append(control(tool, 'a').cloneNode()),
      'has changed its tool',
    ],
  ] as const) {
    it(`says in a sentence that ${what}`, async () => {
      const element = review();
      const tool = form('<input name=a>');
      const { abort } = run({ a: 'x' });
      await shows(element);
      end(tool, abort);
      await waitUntil(() => text(parts(element, 'notice')[0]).includes(sentence));
    });
  }

  it('keeps what the person typed in controls that the agent never touched when it undoes', async () => {
    const element = review();
    const tool = form('<input name=a value=old><input name=b value=default><input type=checkbox name=c>');
    run({ a: 'new' });
    await shows(element);
    control(tool, 'b').value = 'typed';
    control(tool, 'c').click();
    tool.insertAdjacentHTML('beforeend', '<input name=d>');
    control(tool, 'd').value = 'late';
    await waitUntil(() => rows(element).length === 4);
    parts(element, 'undo')[0]?.click();
    await gone(element);
    expect(entriesOf(tool)).to.equal('a,old;b,typed;c,on;d,late');
  });

  it('shows anew, says so, and holds Approve back when another call fills the form', async () => {
    const element = review();
    form('<input name=a>');
    run({ a: 'x' });
    await shows(element);
    await waitUntil(() => !parts(element, 'approve')[0]?.hasAttribute('aria-disabled'));
    const said = (): number => element.shadowRoot?.querySelectorAll('.live > *').length ?? 0;
    await waitUntil(() => said() === 1);
    const held = heldBack(element);
    run({ a: 'y' });
    await held;
    await waitUntil(() => rows(element)[0] === 'a|empty|y|' && said() === 2);
  });

  it('shows a form that was filled before there was a review', async () => {
    const tool = form('<input name=a value=old><input type=hidden name=h value=1>');
    const { abort } = run({ a: 'x' });
    await waitUntil(() => tool.matches(':tool-form-active'));
    const element = review();
    await shows(element);
    expect(rows(element)).to.deep.equal(['a|not known|x|']);
    abort();
    await waitUntil(() => parts(element, 'notice').length === 1);
  });

  it('says that it does not know what a control held that it has never seen, and leaves it as it is', async () => {
    const element = review();
    const host = document.body.appendChild(document.createElement('div'));
    afterTest(() => host.remove());
    const shadow = host.attachShadow({ mode: 'open' });
    shadow.innerHTML = `<form ${attributes}><input name=a value=old><input name=b value=old><button>Go</button></form>`;
    run({ a: 'x', b: 'y' });
    await shows(element);
    expect(rows(element)).to.deep.equal(['a|not known|x|', 'b|old|y|']);
    parts(element, 'undo')[0]?.click();
    await gone(element);
    expect(entriesOf(shadow.querySelector('form') as HTMLFormElement)).to.equal('a,x;b,old');
  });
});
