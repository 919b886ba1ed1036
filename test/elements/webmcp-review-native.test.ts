import { expect } from '@open-wc/testing';
import type { WebmcpReview } from '../../elements/webmcp-review.js';
import '../../elements/webmcp-review.js';
import { approveDelayed, endlessDelay, setApproveDelay } from '../support/elements/approve-delay.js';
import { pressApprove } from '../support/elements/press.js';
import { afterTest, call, isNative, names, place, settled, waitUntil } from '../support/browser/live.js';

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
/** Clicks Approve once it is enabled. */
const approve = (element: WebmcpReview): Promise<void> => pressApprove(() => parts(element, 'approve')[0]);
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

/** Loaded before the first call, which the review would miss otherwise. */
before(() => import('../../elements/webmcp-review/native.js'));
afterEach(settled);

(isNative ? describe : describe.skip)('<webmcp-review> for a form that the browser fills', () => {
  it('shows the changes with the previous values', async () => {
    const element = review();
    form(
      `<input name=a value=old><label><input type=radio name=r value=x checked>X</label><label><input type=radio name=r value=y>Y</label>
       <select name=s><option>1<option>2</select><input type=checkbox name=c>`,
    );
    run({ a: 'new', r: 'y', s: '2', c: true });
    await shows(element);
    expect(rows(element)).to.deep.equal(['a|old|new|', 'r|X|Y|', 's|1|2|', 'c|off|on|']);
  });

  it('shows a typed value and the radio button that the call changes first with their previous values', async () => {
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

  it('shows nothing for an automatically submitted form or a call that the browser refuses', async () => {
    const element = review();
    const tool = form('<input name=a type=number>');
    expect(await run({ a: 'x' }).result).to.match(/Invalid value/);
    expect(element.showing).to.equal(false);
    tool.setAttribute('toolautosubmit', '');
    await settled();
    await run({ a: 1 }).result;
    expect(element.showing).to.equal(false);
  });

  it('approves, and the call resolves with the response of the page', async () => {
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

  it('keeps the call of an invalid form, which the browser alone would end', async () => {
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

  it('undoes: ends the call and restores the previous values instead of the defaults', async () => {
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

  it('restores the values, and reports it, if the page prevents the reset', async () => {
    const element = review();
    const tool = form('<input name=a value=old>');
    tool.addEventListener('reset', (event) => event.preventDefault());
    run({ a: 'new' });
    await shows(element);
    parts(element, 'undo')[0]?.click();
    await waitUntil(() => text(parts(element, 'problem')[0]).includes('undo-prevented'));
    expect(control(tool, 'a').value).to.equal('old');
  });

  for (const [what, end, message] of [
    ['the caller cancels', (_: HTMLFormElement, abort: () => void) => abort(), 'ended before you approved it'],
    ['the form is reset', (tool: HTMLFormElement) => tool.reset(), 'because the form was reset'],
    ['the form is removed', (tool: HTMLFormElement) => tool.remove(), 'because the page removed the form'],
    [
      'its tool changes',
      (tool: HTMLFormElement) => tool.append(control(tool, 'a').cloneNode()),
      'because the page changed the tool',
    ],
  ] as const) {
    it(`shows the end of the call: ${what}`, async () => {
      const element = review();
      const tool = form('<input name=a>');
      const { abort } = run({ a: 'x' });
      await shows(element);
      end(tool, abort);
      await waitUntil(() => text(parts(element, 'notice')[0]).includes(message));
    });
  }

  it('keeps, on undo, the values of controls that the call has not changed', async () => {
    const element = review();
    const tool = form('<input name=a value=old><input name=b value=default><input type=checkbox name=c>');
    run({ a: 'new' });
    await shows(element);
    control(tool, 'b').value = 'typed';
    control(tool, 'c').click();
    // The browser would end the call with another visible control.
    tool.insertAdjacentHTML('beforeend', '<input type=hidden name=d>');
    control(tool, 'd').value = 'late';
    await waitUntil(() => rows(element).length === 4);
    parts(element, 'undo')[0]?.click();
    await gone(element);
    expect(entriesOf(tool)).to.equal('a,old;b,typed;c,on;d,late');
  });

  it('shows a second call of the form, announces it, and delays Approve again', async () => {
    const element = review();
    form('<input name=a>');
    run({ a: 'x' });
    await shows(element);
    await waitUntil(() => !parts(element, 'approve')[0]?.hasAttribute('aria-disabled'));
    const announcementCount = (): number => element.shadowRoot?.querySelectorAll('.live > *').length ?? 0;
    await waitUntil(() => announcementCount() === 1);
    const delayed = approveDelayed(element);
    setApproveDelay(endlessDelay);
    run({ a: 'y' });
    await delayed;
    await waitUntil(() => rows(element)[0] === 'a|empty|y|' && announcementCount() === 2);
  });

  it('shows a form that was filled before the review was added', async () => {
    const tool = form('<input name=a value=old><input type=hidden name=h value=1>');
    const { abort } = run({ a: 'x' });
    await waitUntil(() => tool.matches(':tool-form-active'));
    const element = review();
    await shows(element);
    expect(rows(element)).to.deep.equal(['a|unknown|x|']);
    abort();
    await waitUntil(() => parts(element, 'notice').length === 1);
  });

  it('shows an unknown previous value as unknown, and does not change it on undo', async () => {
    const element = review();
    const host = document.body.appendChild(document.createElement('div'));
    afterTest(() => host.remove());
    const shadow = host.attachShadow({ mode: 'open' });
    shadow.innerHTML = `<form ${attributes}><input name=a value=old><input name=b value=old><button>Go</button></form>`;
    run({ a: 'x', b: 'y' });
    await shows(element);
    expect(rows(element)).to.deep.equal(['a|unknown|x|', 'b|old|y|']);
    parts(element, 'undo')[0]?.click();
    await gone(element);
    expect(entriesOf(shadow.querySelector('form') as HTMLFormElement)).to.equal('a,x;b,old');
  });
});
