import { expect } from '@open-wc/testing';
import { reviewStrings, type ReviewEventDetail, type WebmcpReview } from '../../elements/webmcp-review.js';
import { approveDelayed, endlessDelay, setApproveDelay, standardDelay } from '../support/elements/approve-delay.js';
import { press, pressAt, pressApprove, pressEnter, scrollToApprove } from '../support/elements/press.js';
import { mountReact } from '../browser/frameworks/react.js';
import {
  afterTest,
  call,
  isNative,
  live,
  names,
  place,
  rejection,
  settled,
  waitUntil,
} from '../support/browser/live.js';

/** A browser with WebMCP would register forms with the plain annotations itself. */
const attributes = (name: string): string =>
  isNative ? `data-toolname=${name} data-tooldescription=d` : `toolname=${name} tooldescription=d`;

const form = (controls: string, name = 't', more = ''): HTMLFormElement =>
  place(`<form ${attributes(name)} action="javascript:void 0" ${more}>${controls}<button>Go</button></form>`);

const entriesOf = (form: HTMLFormElement): string =>
  Array.from(new FormData(form), ([name, value]) => `${name},${value as string}`).join(';');

function review(more = ''): WebmcpReview {
  const container = document.createElement('div');
  container.innerHTML = `<webmcp-review ${more}></webmcp-review>`;
  document.body.append(container);
  afterTest(() => container.remove());
  return container.firstElementChild as WebmcpReview;
}

const root = (element: WebmcpReview): ShadowRoot => element.shadowRoot as ShadowRoot;
const all = (element: WebmcpReview, part: string): HTMLElement[] => [
  ...root(element).querySelectorAll<HTMLElement>(`[part=${part}]`),
];
const one = (element: WebmcpReview, part: string): HTMLElement => all(element, part)[0] as HTMLElement;
const text = (element: Element | undefined): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
const announcement = (element: WebmcpReview): string =>
  text(root(element).querySelector('.live > :last-child') ?? undefined);
const rows = (element: WebmcpReview): string[] =>
  all(element, 'row').map((row) =>
    ['[part=label]', '[part=before] dd', '[part=now] dd', '[part=by]']
      .map((part) => text(row.querySelector(part) ?? undefined))
      .join('|'),
  );
const list = (element: WebmcpReview): Element => root(element).querySelector('.rows') as Element;
const endOf = (element: Element): number => element.getBoundingClientRect().bottom;
const shows = (element: WebmcpReview): Promise<void> => waitUntil(() => all(element, 'review').length > 0);
const gone = (element: WebmcpReview): Promise<void> => waitUntil(() => !element.showing);
const isDisabled = (element: WebmcpReview): boolean => one(element, 'approve').hasAttribute('aria-disabled');
const canApprove = (element: WebmcpReview): Promise<void> => waitUntil(() => !isDisabled(element));
/** Clicks Approve once it is enabled. */
const approve = (element: WebmcpReview): Promise<void> => pressApprove(() => all(element, 'approve')[0]);
const control = (element: HTMLFormElement, name: string): HTMLInputElement =>
  element.querySelector(`[name=${name}]`) as HTMLInputElement;

/** Starts a call, which is aborted after the test. */
function run(input: object, name = 't'): { result: Promise<string | null>; abort: () => void } {
  const controller = new AbortController();
  const listed = waitUntil(async () => (await names()).includes(name)); // a browser registers tools asynchronously
  const result = listed.then(() => call(input, { signal: controller.signal }, name));
  result.catch(() => undefined);
  afterTest(() => controller.abort());
  return { result, abort: () => controller.abort() };
}

const respond = (element: HTMLFormElement): void =>
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.agentInvoked) event.respondWith([...new FormData(element)]);
  });

/** The code of a call's error. Over a native WebMCP, the error is the result. */
async function codeOf(result: Promise<string | null>): Promise<string | undefined> {
  if (!isNative) return (await rejection(result)).errors[0]?.code;
  return (JSON.parse((await result) ?? '{}') as { errors: { code: string }[] }).errors[0]?.code;
}

/** Dispatches the event of the runtime for a pending form. */
function dispatchAwaitUser(form: HTMLFormElement, submitter: Element): AbortController {
  const controller = new AbortController();
  afterTest(() => controller.abort());
  const { signal } = controller;
  const detail = { toolName: 'other', title: 'a title', submitter, changes: [], signal, undo: () => undefined };
  form.dispatchEvent(new CustomEvent('webmcp-await-user', { bubbles: true, composed: true, detail }));
  return controller;
}

afterEach(settled); // calls that a test has left end asynchronously

describe('<webmcp-review>', () => {
  it('shows a form that waits already when the element is inserted', async () => {
    live();
    form('<input name=a value=old>');
    const asked = new Promise((resolve) => document.addEventListener('webmcp-await-user', resolve, { once: true }));
    run({ a: 'new' });
    await asked;
    const element = review();
    await shows(element);
    expect(rows(element)).to.deep.equal(['a|old|new|']);
  });

  it('takes no space and shows nothing until a form waits', async () => {
    live();
    const element = review();
    form('<input name=a>');
    await element.updateComplete;
    expect([element.showing, getComputedStyle(element).position, announcement(element)]).to.deep.equal([
      false,
      'absolute',
      '',
    ]);
    expect(root(element).querySelector('.panel')).to.equal(null);
  });

  it('shows the changes by control, and announces them politely without taking the focus', async () => {
    live();
    const element = review();
    const tool = form(
      `<label>Name <input name=a value=Ann></label><label>Same <input name=same value=s></label>
       <label>Seat<select name=s><option value=1>Window<option value=2>Garden</select></label>
       <label><input type=checkbox name=c>News</label>
       <fieldset><legend>Size</legend><label><input type=radio name=r value=s checked>Small</label><label><input type=radio name=r value=l>Large</label></fieldset>
       <fieldset><legend>Extras</legend><label><input type=checkbox name=x value=1 checked>Rice</label><label><input type=checkbox name=x value=2>Beans</label></fieldset>
       <select multiple name=m aria-label=Many><option selected>one<option>two<option>three</select>
       <textarea name=t title=x></textarea>`,
      't',
      'aria-label=Order data-tooltitle="Order food"',
    );
    run({ a: 'Bob', same: 's', s: '2', c: true, r: 'l', x: ['1', '2'], m: ['two', 'three'], t: 'long' });
    await shows(element);
    expect(rows(element)).to.deep.equal([
      'Name|Ann|Bob|',
      'Seat|Window|Garden|',
      'News|off|on|',
      'Size|Small|Large|',
      'Extras|Rice|RiceBeans|',
      'Many|one|twothree|',
      't|empty|long|',
    ]);
    expect(announcement(element)).to.equal('Order food has filled in Order. Changes: 7. Review and approve.');
    expect(root(element).activeElement).to.equal(null);
    expect(document.activeElement === tool.querySelector('button')).to.equal(true);
  });

  for (const place of ['', 'placement=corner'])
    it(`shows its count, seven changes and Approve in a window of 800 pixels ${place}`, async () => {
      live();
      const element = review(place);
      const letters = [...'abcdefg'];
      form(letters.map((name) => `<label>Label ${name} <input name=${name} value=old></label>`).join(''));
      run(Object.fromEntries(letters.map((name) => [name, 'new'])));
      await shows(element);
      expect(text(one(element, 'heading'))).to.equal('t: review the changes (7)');
      const height = endOf(one(element, 'approve')) - one(element, 'heading').getBoundingClientRect().top;
      const { scrollHeight, clientHeight } = list(element);
      expect(height + scrollHeight - clientHeight).to.be.below(800 * (place ? 0.6 : 0.9));
    });

  it('scrolls many changes between its heading and Approve, which stay in view', async () => {
    live();
    const element = review();
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    form(names.map((name) => `<input name=${name}>`).join(''));
    run(Object.fromEntries(names.map((name) => [name, 'x'])));
    await shows(element);
    const topOfHeading = (): number => one(element, 'heading').getBoundingClientRect().top;
    await waitUntil(() => topOfHeading() >= 0 && endOf(one(element, 'approve')) <= innerHeight);
    expect(list(element).scrollHeight).to.be.above(list(element).clientHeight);
    expect(one(element, 'approve').getBoundingClientRect().top).to.be.at.least(endOf(list(element)));
  });

  it('shows dates in the language of the page, colors with a swatch, and custom messages', async () => {
    live({ profile: 'precise', sensitive: 'include' });
    const element = review('lang=de');
    element.strings = { before: 'Vorher', empty: 'leer' };
    form(
      `<input type=date name=d><input type=color name=c value="#000000"><input type=time name=z><input name=note value=x>`,
    );
    run({ d: '2030-03-05', c: '#ff0000', z: '18:30', note: '' });
    await shows(element);
    const [date, color, time, note] = rows(element);
    expect(date).to.match(/^d\|leer\|.*5. März 2030 \(2030-03-05\)\|$/);
    expect([color, note]).to.deep.equal(['c|#000000|#ff0000|', 'note|x|leer|']);
    expect(time).to.contain('18:30 (18:30)');
    expect(root(element).querySelector('[part=now] rect')?.getAttribute('fill')).to.equal('#ff0000');
    expect(text(root(element).querySelector('dt') as Element)).to.equal('Vorher');
  });

  it('shows neither a secret nor its length', async () => {
    live();
    const element = review();
    form(
      `<input type=password name=p value=old><input name=o autocomplete="section-x one-time-code"><input name=n autocomplete=cc-number>`,
    );
    run({ p: 'secret', o: '123456', n: '4111' });
    await shows(element);
    expect(rows(element)).to.deep.equal(['p|hidden|hidden|', 'o|empty|hidden|', 'n|empty|hidden|']);
    expect(root(element).innerHTML).to.not.match(/secret|123456|4111/);
  });

  it('truncates long text, and shows all of it on demand', async () => {
    live();
    const element = review();
    const long = `${'x'.repeat(300)}\nend`;
    form('<textarea name=a></textarea>');
    run({ a: long });
    await shows(element);
    const details = root(element).querySelector('details') as HTMLDetailsElement;
    expect([details.open, details.querySelector('.text')?.textContent === long]).to.deep.equal([false, true]);
    expect(root(element).querySelector('[part=now] .text')?.textContent.length).to.equal(161);
  });

  it('shows a message if nothing was changed', async () => {
    live();
    const element = review();
    form('<input name=a value=x>');
    run({ a: 'x' });
    await shows(element);
    expect([rows(element), text(root(element).querySelector('section p') as Element)]).to.deep.equal([
      [],
      reviewStrings.nothing,
    ]);
    expect(announcement(element)).to.contain('has not changed this form');
  });

  it('follows changes by the user and by the page, and distinguishes them', async () => {
    live();
    const element = review();
    const tool = form('<input name=a><label><input type=checkbox name=c>News</label><input name=b>');
    run({ a: 'agent', b: 'agent' });
    await shows(element);
    control(tool, 'a').value = 'script';
    control(tool, 'c').click();
    await waitUntil(() => rows(element)[0]?.includes('script'));
    expect(rows(element)).to.deep.equal([
      'a|empty|script|changed by the page',
      'News|off|on|changed by you',
      'b|empty|agent|',
    ]);
  });

  it('approves with the button of the form, and the call resolves with its values', async () => {
    live();
    const element = review();
    const tool = form('<input name=a>');
    respond(tool);
    let submitter: Element | null = null;
    tool.addEventListener('submit', (event) => (submitter = event.submitter));
    const { result } = run({ a: 'x' });
    await shows(element);
    const announced = waitUntil(() => announcement(element) === reviewStrings.approved);
    await Promise.all([announced, approve(element)]);
    expect(await result).to.equal('[["a","x"]]');
    expect(submitter === tool.querySelector('button')).to.equal(true);
    await gone(element);
  });

  it('stays if the form is invalid, and approves once it is valid', async () => {
    live();
    const element = review();
    const tool = form('<input name=a><input name=b>');
    respond(tool);
    const { result } = run({ a: 'x' });
    await shows(element);
    control(tool, 'b').required = true;
    await approve(element);
    await waitUntil(() => text(one(element, 'problem')).includes('not-valid'));
    expect(document.activeElement === control(tool, 'b')).to.equal(true);
    control(tool, 'b').value = 'y';
    await waitUntil(() => rows(element).some((row) => row.includes('|y|')));
    await approve(element);
    expect(await result).to.equal('[["a","x"],["b","y"]]');
    await gone(element);
  });

  it('appears again if the page rejects the submission', async () => {
    live();
    const element = review();
    const tool = form('<input name=a>');
    tool.addEventListener(
      'submit',
      (event) => {
        event.preventDefault();
        control(tool, 'a').setAttribute('aria-invalid', 'true');
      },
      { once: true },
    );
    const { result } = run({ a: 'x' });
    await shows(element);
    await approve(element);
    await waitUntil(() => text(one(element, 'problem')).includes('not-valid'));
    control(tool, 'a').removeAttribute('aria-invalid');
    respond(tool);
    await approve(element);
    expect(await result).to.equal('[["a","x"]]');
  });

  it('undoes: restores the form, and the call rejects with the code undone', async () => {
    live();
    const element = review();
    const tool = form('<input name=a value=old><select name=s><option>1<option>2</select>');
    const { result } = run({ a: 'x', s: '2' });
    await shows(element);
    const announced = waitUntil(() => announcement(element) === reviewStrings.undone);
    one(element, 'undo').click();
    const [code] = await Promise.all([codeOf(result), announced]);
    expect(code).to.equal('undone');
    expect(entriesOf(tool)).to.equal('a,old;s,1');
    await gone(element);
  });

  it('focuses the first changed control or the chosen control, and leaves no styles', async () => {
    live();
    const element = review();
    const tool = form('<input name=z><input name=a><input name=b>');
    run({ a: 'x', b: 'y' });
    await shows(element);
    one(element, 'edit').click();
    expect(document.activeElement === control(tool, 'a')).to.equal(true);
    all(element, 'label')[1]?.click();
    expect(document.activeElement === control(tool, 'b')).to.equal(true);
    expect([control(tool, 'b').hasAttribute('style'), element.showing]).to.deep.equal([false, true]);
  });

  it('dispatches a cancelable event before each step', async () => {
    live();
    const element = review();
    const tool = form('<input name=a value=old>');
    let submitted = 0;
    tool.addEventListener('submit', () => submitted++);
    run({ a: 'x' });
    await shows(element);
    const seen: string[] = [];
    for (const step of ['approve', 'edit', 'undo'] as const) {
      const type = `webmcp-review-${step}`;
      const listener = (event: Event): void => {
        const { detail } = event as CustomEvent<ReviewEventDetail>;
        seen.push(`${step} ${detail.toolName} ${detail.form === tool}`);
        event.preventDefault();
      };
      document.addEventListener(type, listener);
      afterTest(() => document.removeEventListener(type, listener));
      if (step === 'approve') await approve(element);
      else one(element, step).click();
    }
    expect(seen).to.deep.equal(['approve t true', 'edit t true', 'undo t true']);
    expect([submitted, control(tool, 'a').value, element.showing]).to.deep.equal([0, 'x', true]);
  });

  for (const [what, end, message] of [
    ['the caller cancels', (_: HTMLFormElement, abort: () => void) => abort(), 'ended before you approved it'],
    ['the form is reset', (tool: HTMLFormElement) => tool.reset(), 'because the form was reset'],
    ['the form is removed', (tool: HTMLFormElement) => tool.remove(), 'because the page removed the form'],
  ] as const) {
    it(`shows the end of the call until it is dismissed: ${what}`, async () => {
      live();
      const element = review();
      const tool = form('<input name=a>');
      const { abort } = run({ a: 'x' });
      await shows(element);
      end(tool, abort);
      await waitUntil(() => text(one(element, 'notice')).includes(message));
      expect(all(element, 'review')).to.have.length(0);
      one(element, 'dismiss').click();
      await gone(element);
    });
  }

  it('explains why it cannot approve without a submit button', async () => {
    live();
    const element = review();
    const tool = form('<input name=a>');
    run({ a: 'x' });
    await shows(element);
    await canApprove(element);
    (tool.querySelector('button') as HTMLButtonElement).disabled = true;
    await approve(element);
    await waitUntil(() => text(one(element, 'problem')).includes('no-submit-button'));
    expect(control(tool, 'a').value).to.equal('x');
  });

  it('follows controls and buttons that the page renders again while it waits', async () => {
    live();
    const element = review();
    const tool = form('<label>Name <input name=a></label>');
    respond(tool);
    const { result } = run({ a: 'x' });
    await shows(element);
    const fresh = tool.cloneNode(true) as HTMLFormElement;
    tool.replaceChildren(...fresh.childNodes);
    control(tool, 'a').value = 'fresh';
    await waitUntil(() => rows(element)[0] === 'Name|empty|fresh|changed by the page');
    await approve(element);
    expect(JSON.parse((await result) as string)).to.deep.equal({
      response: [['a', 'fresh']],
      notes: [
        { parameter: 'a', message: 'The value of "a" was changed before the user submitted the form. It is "fresh".' },
      ],
    });
  });

  it('shows two pending forms at once, and each new call of a form', async () => {
    live();
    const element = review();
    const first = form('<input name=a>', 't');
    form('<input name=b>', 'u');
    respond(first);
    run({ a: 'x' }, 't');
    await shows(element);
    run({ b: 'y' }, 'u');
    await waitUntil(() => all(element, 'review').length === 2);
    expect(rows(element)).to.deep.equal(['a|empty|x|', 'b|empty|y|']);
    run({ a: 'z' }, 't');
    await approve(element);
    await waitUntil(() => rows(element).includes('a|x|z|'));
    expect(all(element, 'review')).to.have.length(2);
  });

  it('shows a form once: in the review that names it, or else in the nearest review', async () => {
    live();
    const far = review();
    const named = review('for=it');
    const tool = form('<input name=a>', 't', 'id=it');
    const near = document.createElement('webmcp-review');
    const other = form('<input name=b>', 'u');
    other.before(near);
    run({ a: 'x' }, 't');
    run({ b: 'y' }, 'u');
    await shows(named);
    await shows(near);
    expect([rows(far), rows(named), rows(near)]).to.deep.equal([[], ['a|empty|x|'], ['b|empty|y|']]);
    named.remove();
    await waitUntil(() => rows(far).length + rows(near).length === 2);
    tool.remove();
  });

  it('shows forms in shadow trees', async () => {
    live();
    const element = review();
    const host = document.body.appendChild(document.createElement('div'));
    afterTest(() => host.remove());
    host.attachShadow({
      mode: 'open',
    }).innerHTML = `<form ${attributes('t')} action="javascript:void 0"><label>Name <input name=a></label><button>Go</button></form>`;
    await settled();
    const tool = host.shadowRoot?.querySelector('form') as HTMLFormElement;
    respond(tool);
    const { result } = run({ a: 'x' });
    await shows(element);
    expect(rows(element)).to.deep.equal(['Name|empty|x|']);
    await approve(element);
    expect(await result).to.equal('[["a","x"]]');
    await gone(element);
  });

  it('works if controls clobber the members of their form', async () => {
    live();
    const element = review();
    const hostile = ['submit', 'elements', 'id', 'reset', 'requestSubmit', 'matches', 'getAttribute', 'isConnected'];
    const tool = form(
      `${hostile.map((name) => `<input name=${name}>`).join('')}<input name=addEventListener><input name=closest><input name=getRootNode><input name=parentNode><input name=classList>`,
    );
    const entries: unknown[] = [];
    EventTarget.prototype.addEventListener.call(tool, 'submit', (event) => {
      event.preventDefault();
      entries.push(...new FormData(tool));
      (event as SubmitEvent).respondWith('done');
    });
    const { result } = run(Object.fromEntries(hostile.map((name) => [name, 'x'])));
    await shows(element);
    expect(rows(element)).to.deep.equal(hostile.map((name) => `${name}|empty|x|`));
    await approve(element);
    expect(await result).to.equal('done');
    expect(entries).to.have.length(hostile.length + 5);
  });

  it('shows labels, values, options and titles as text', async () => {
    live();
    const element = review();
    const bad = '<img src=x onerror="window.hacked=1">{count}';
    const tool = form('<label></label><select name=s><option value=1>a<option value=2></select>', 't');
    const label = tool.querySelector('label') as HTMLLabelElement;
    label.append(bad, Object.assign(document.createElement('input'), { name: 'a' }));
    (tool.querySelector('option:last-child') as HTMLOptionElement).text = bad;
    tool.setAttribute(isNative ? 'data-tooltitle' : 'tooltitle', bad);
    tool.setAttribute('aria-label', bad);
    await settled();
    run({ a: bad, s: '2' });
    await shows(element);
    expect(rows(element)).to.deep.equal([`${bad}|empty|${bad}|`, `s|a|${bad}|`]);
    expect(announcement(element)).to.equal(`${bad} has filled in ${bad}. Changes: 2. Review and approve.`);
    expect(root(element).querySelector('img')).to.equal(null);
    expect('hacked' in window).to.equal(false);
  });

  it('ignores invalid events of a page', async () => {
    const element = review();
    for (const detail of [
      undefined,
      null,
      {},
      { submitter: document.body },
      { submitter: document.createElement('button') },
    ]) {
      document.dispatchEvent(new CustomEvent('webmcp-await-user', { detail }));
    }
    await element.updateComplete;
    expect(element.showing).to.equal(false);
  });

  it('is hidden by Escape, and shown again by its small button', async () => {
    live();
    const element = review('placement=corner');
    form('<input name=a>');
    run({ a: 'x' });
    await shows(element);
    element.focus();
    await waitUntil(() => root(element).activeElement === root(element).querySelector('.panel'));
    root(element).activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await waitUntil(() => root(element).activeElement === one(element, 'show'));
    expect(all(element, 'review')).to.have.length(0);
    one(element, 'show').click();
    await waitUntil(() => root(element).activeElement === root(element).querySelector('.panel'));
    const order = [...root(element).querySelectorAll('button')].map((button) => button.part.value);
    expect(order).to.deep.equal(['label', 'approve', 'edit', 'undo']);
    one(element, 'undo').focus();
    one(element, 'undo').click();
    await gone(element);
    expect(root(element).activeElement === root(element).querySelector('.live')).to.equal(true);
  });

  it('in the corner, collapses if it covers the focused element', async () => {
    live();
    const element = review('placement=corner');
    form('<input name=a>');
    run({ a: 'x' });
    await shows(element);
    const under = document.body.appendChild(document.createElement('button'));
    afterTest(() => under.remove());
    under.style.cssText = 'position: fixed; inset: 0';
    under.focus();
    await waitUntil(() => all(element, 'show').length === 1);
  });

  it('in the corner, is at the inline end, also from right to left', async () => {
    live();
    const element = review();
    element.placement = 'corner';
    element.dir = 'rtl';
    form('<input name=a>');
    run({ a: 'x' });
    await shows(element);
    const { left, right } = element.getBoundingClientRect();
    expect(left).to.be.lessThan(innerWidth - right);
  });

  it('shows and restores a controlled form of React', async () => {
    live();
    const element = review();
    const container = document.body.appendChild(document.createElement('div'));
    afterTest(() => container.remove());
    const initial = { text: 'old', number: '1', area: 'one', box: false, radio: 'a', select: 'x' };
    const mounted = await mountReact(container, initial);
    afterTest(() => mounted.unmount());
    mounted.form.removeAttribute('toolautosubmit');
    await settled();
    run({ text: 'new', number: 2, box: true, radio: 'b', select: 'y' });
    await shows(element);
    // A browser fills boxes without a click, and React reverts such a change.
    const clicked = isNative ? [] : ['box|off|on|', 'radio|a|b|'];
    expect(rows(element)).to.deep.equal(['text|old|new|', 'number|1|2|', ...clicked, 'select|x|y|']);
    one(element, 'undo').click();
    await waitUntil(() => JSON.stringify(mounted.state()) === JSON.stringify(initial));
    await gone(element);
  });

  it('names the button and its target if the form has several buttons', async () => {
    live();
    const element = review();
    const tool = form('<input name=a>', 't');
    tool.insertAdjacentHTML(
      'beforeend',
      '<button name=action value=delete formaction="javascript:void 1">Delete the account</button>',
    );
    const submitter = tool.querySelector('[name=action]') as HTMLButtonElement;
    respond(tool);
    run({ a: 'x' });
    await shows(element);
    expect([text(one(element, 'approve')), text(one(element, 'button'))]).to.deep.equal(['Approve: Go', 'Button Go']);
    const first = tool.querySelector('button') as HTMLButtonElement;
    tool.prepend(submitter);
    submitter.disabled = false;
    first.remove();
    tool.append(Object.assign(first, { type: 'button' }));
    submitter.after(Object.assign(document.createElement('button'), { disabled: true }));
    dispatchAwaitUser(tool, submitter);
    await waitUntil(() => text(one(element, 'approve')) === 'Approve: Delete the account');
    expect(text(one(element, 'button'))).to.equal('Button Delete the account Sends to javascript:void 1');
  });

  it('sends only what it has shown: a change by a script is shown first', async () => {
    live();
    const element = review();
    const tool = form('<input name=a><input type=password name=p>');
    respond(tool);
    let submitted = 0;
    tool.addEventListener('submit', () => submitted++);
    const { result } = run({ a: 'x', p: 'secret' });
    await shows(element);
    for (const name of ['a', 'p']) {
      await scrollToApprove(() => all(element, 'approve')[0]);
      const change = (): string => (control(tool, name).value = 'other');
      window.addEventListener('click', change, { capture: true, once: true });
      setApproveDelay(endlessDelay);
      await press(one(element, 'approve')); // is refused because of the change
      await press(one(element, 'approve')); // is refused because the change has just been shown
      expect(submitted).to.equal(0);
      await waitUntil(() => text(one(element, 'problem')).includes('changed'));
      setApproveDelay(0);
      element.style.marginTop = '50px'; // like the next change, starts a delay of 0 ms
      control(tool, name).value = 'last';
    }
    await canApprove(element);
    expect(rows(element)[0]).to.equal('a|empty|last|changed by the page');
    await approve(element);
    expect(JSON.parse((await result) as string)).to.deep.equal({
      response: [
        ['a', 'last'],
        ['p', 'last'],
      ],
      notes: [
        // The value is equal to a secret of the form.
        {
          parameter: 'a',
          message: 'The value of "a" was changed before the user submitted the form. It is "(not shown)".',
        },
        { parameter: 'p', message: 'The value of "p" was changed before the user submitted the form.' },
      ],
    });
  });

  /** Calls a form, and resolves once Approve can be pressed. */
  async function openForApproval(controls = '<input name=a>') {
    live();
    const element = review();
    const tool = form(controls);
    respond(tool);
    let count = 0;
    tool.addEventListener('submit', () => count++);
    const { result } = run({ a: 'x' });
    await shows(element);
    await canApprove(element);
    return { element, tool, result, submitted: () => count };
  }

  it('ignores a press by a script', async () => {
    const { element, result, submitted } = await openForApproval();
    const button = one(element, 'approve');
    button.click();
    for (const type of ['pointerdown', 'mousedown', 'keydown', 'keyup', 'mouseup', 'click'])
      button.dispatchEvent(
        new (type.startsWith('key') ? KeyboardEvent : MouseEvent)(type, { bubbles: true, detail: 1 }),
      );
    await waitUntil(() => text(one(element, 'problem')).includes('not-pressed'));
    expect([submitted(), announcement(element)]).to.deep.equal([0, reviewStrings['not-pressed']]);
    await approve(element);
    expect(await result).to.equal('[["a","x"]]');
  });

  it('ignores a press while something covers Approve, or has just uncovered it', async () => {
    const { element, result, submitted } = await openForApproval();
    const cover = document.createElement('div');
    afterTest(() => cover.remove());
    const coverTop = (): void => {
      const { left, top, width } = one(element, 'approve').getBoundingClientRect();
      cover.style.cssText = `position:fixed;z-index:9;left:${left}px;top:${top}px;width:${width}px;height:12px;background:red`;
    };
    for (const delay of [endlessDelay, 0]) {
      setApproveDelay(delay);
      coverTop();
      document.body.append(cover);
      await press(one(element, 'approve')); // its middle is uncovered, but its label is covered
      await waitUntil(() => text(one(element, 'problem')).includes('covered'));
      coverTop(); // the message may have moved the button
      await waitUntil(() => isDisabled(element));
      cover.remove();
      if (delay > 0) await press(one(element, 'approve'));
      expect(submitted()).to.equal(0);
    }
    await approve(element);
    expect(await result).to.equal('[["a","x"]]');
  });

  it('submits once if Enter is held down on Approve, and pressed again', async () => {
    const { element, result, submitted } = await openForApproval();
    one(element, 'approve').focus();
    await pressEnter(3);
    expect(await result).to.equal('[["a","x"]]');
    await gone(element);
    await pressEnter();
    expect([submitted(), document.activeElement === element]).to.deep.equal([1, true]);
  });

  it('submits nothing when a held Enter key repeats, wherever the page or Edit moves the focus', async () => {
    const { element, tool, result, submitted } = await openForApproval();
    one(element, 'edit').focus();
    await pressEnter(3);
    expect([submitted(), document.activeElement === control(tool, 'a')]).to.deep.equal([0, true]);
    tool.addEventListener('submit', () => tool.querySelector('button')?.focus());
    one(element, 'approve').focus();
    await pressEnter(3);
    expect(await result).to.equal('[["a","x"]]');
    expect(submitted()).to.equal(1);
    await pressEnter(); // the user presses the button of the page
    expect(submitted()).to.equal(2);
  });

  it('ignores a press while something covers only the changes', async () => {
    const { element, result, submitted } = await openForApproval();
    const cover = document.createElement('div');
    afterTest(() => cover.remove());
    const isObserved = 'trackVisibility' in IntersectionObserver.prototype;
    for (const events of isObserved ? ['auto', 'none'] : ['auto']) {
      await scrollToApprove(() => one(element, 'approve'));
      const { left, top, width, height } = one(element, 'now').getBoundingClientRect();
      cover.style.cssText = `position:fixed;z-index:2147483647;left:${left}px;top:${top}px;width:${width}px;height:${height}px;background:red;pointer-events:${events}`;
      document.body.append(cover);
      await approveDelayed(element);
      await press(one(element, 'approve'));
      await waitUntil(() => text(one(element, 'problem')).includes('covered'));
      cover.remove();
    }
    expect(submitted()).to.equal(0);
    await approve(element);
    expect(await result).to.equal('[["a","x"]]');
  });

  it('ignores a press while something covers one of many changes', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const element = review();
    live();
    const tool = form(names.map((name) => `<input name=${name}>`).join(''));
    respond(tool);
    const { result } = run(Object.fromEntries(names.map((name) => [name, 'x'])));
    await shows(element);
    const style = document.createElement('style');
    style.textContent = '.rows { display: grid; grid-template-columns: repeat(6, 1fr); max-block-size: none }'; // so that the window has all of them
    element.shadowRoot?.append(style);
    await scrollToApprove(() => one(element, 'approve'));
    const cover = document.body.appendChild(document.createElement('div'));
    afterTest(() => cover.remove());
    const last = [...(element.shadowRoot?.querySelectorAll('.rows > li') ?? [])][28] as Element;
    const { left, top, width, height } = last.getBoundingClientRect();
    expect(top).to.be.within(0, innerHeight);
    cover.style.cssText = `position:fixed;z-index:2147483647;left:${left}px;top:${top}px;width:${width}px;height:${height}px;background:red`;
    await approveDelayed(element);
    await press(one(element, 'approve'));
    await waitUntil(() => text(one(element, 'problem')).includes('covered'));
    cover.remove();
    await approve(element);
    expect(await result).to.contain('["n29","x"]');
  });

  it('accepts a press while changes are scrolled out of view, also under the header of a page', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const element = review();
    live();
    const tool = form(names.map((name) => `<input name=${name}>`).join(''));
    respond(tool);
    const header = document.body.appendChild(document.createElement('div'));
    afterTest(() => header.remove());
    header.style.cssText = 'position:fixed;z-index:9;inset:0 0 auto;height:40px;background:red';
    const { result } = run(Object.fromEntries(names.map((name) => [name, 'x'])));
    await shows(element);
    await approve(element);
    expect(await result).to.contain('["n29","x"]');
  });

  it('ignores a press while something covers the top of a scrolled list of changes', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const element = review();
    element.style.cssText = 'position:fixed;z-index:1;inset:0 0 auto';
    live();
    const tool = form(names.map((name) => `<input name=${name}>`).join(''));
    respond(tool);
    const { result } = run(Object.fromEntries(names.map((name) => [name, 'x'])));
    await shows(element);
    list(element).scrollTop = 40;
    await canApprove(element);
    const { top } = list(element).getBoundingClientRect();
    const cover = document.body.appendChild(document.createElement('div'));
    afterTest(() => cover.remove());
    cover.style.cssText = `position:fixed;z-index:9;inset:${top}px 0 auto;height:${innerHeight / 4 - top}px;background:red`;
    await approveDelayed(element);
    await press(one(element, 'approve'));
    await waitUntil(() => text(one(element, 'problem')).includes('covered'));
    cover.remove();
    await approve(element);
    expect(await result).to.contain('["n39","x"]');
  });

  it('ignores a press of a button that has just moved, or on which the pointer has not moved', async () => {
    const { element, result, submitted } = await openForApproval();
    const spacer = document.createElement('div');
    afterTest(() => spacer.remove());
    document.body.prepend(spacer);
    const problem = (): string => text(one(element, 'problem'));
    for (const height of [20, 40]) {
      setApproveDelay(endlessDelay);
      spacer.style.height = `${height}px`;
      await press(one(element, 'approve'));
      await waitUntil(() => problem().includes('moved') && isDisabled(element));
      setApproveDelay(0);
      spacer.style.height = `${height + 10}px`; // starts the delay again
      await canApprove(element);
    }
    spacer.style.height = '50px';
    const { x, y } = one(element, 'approve').getBoundingClientRect();
    const point = [x + 10, 10] as const;
    await pressAt(point); // in the spacer
    element.style.cssText = `position:relative;top:${5 - y}px`; // moves Approve under the pointer
    await canApprove(element);
    await pressAt(point);
    await waitUntil(() => problem().includes('moved'));
    element.style.cssText = '';
    expect(submitted()).to.equal(0);
    await approve(element);
    expect(await result).to.equal('[["a","x"]]');
  });

  it('ignores a press during which the button moves', async () => {
    const { element, submitted } = await openForApproval();
    const button = one(element, 'approve');
    setApproveDelay(endlessDelay);
    const onDown = (): void => setApproveDelay(0);
    button.style.marginTop = '20px';
    button.addEventListener('pointerup', () => (button.style.marginTop = '0'), { once: true });
    button.addEventListener('pointerdown', onDown, { once: true });
    await press(button);
    await waitUntil(() => text(one(element, 'problem')).includes('moved'));
    expect(submitted()).to.equal(0);
  });

  it('detects an overlay that lets clicks through only where the browser observes visibility', async () => {
    const isObserved = 'trackVisibility' in IntersectionObserver.prototype;
    const { element, result } = await openForApproval();
    const cover = document.body.appendChild(document.createElement('div'));
    afterTest(() => cover.remove());
    cover.style.cssText = 'position:fixed;z-index:9;inset:0;background:red;pointer-events:none';
    if (isObserved) await approveDelayed(element);
    await press(one(element, 'approve'));
    if (isObserved) await waitUntil(() => text(one(element, 'problem')).includes('covered'));
    else expect(await result).to.equal('[["a","x"]]');
  });

  it('delays Approve after a change, unless the user made it', async () => {
    const { element, tool, submitted } = await openForApproval('<input name=a><input name=b>');
    setApproveDelay(endlessDelay);
    control(tool, 'a').focus();
    if (document.execCommand('insertText', false, 'y')) {
      await element.updateComplete;
      expect([rows(element), isDisabled(element)]).to.deep.equal([
        [`a|empty|${control(tool, 'a').value}|changed by you`],
        false,
      ]);
    }
    control(tool, 'b').value = 'z';
    await approveDelayed(element);
    await press(one(element, 'approve'));
    expect([submitted(), one(element, 'problem').hidden]).to.deep.equal([0, true]);
  });

  it('counts the delay only while the browser paints frames', async () => {
    const { element, tool } = await openForApproval();
    setApproveDelay(standardDelay);
    control(tool, 'a').value = 'y';
    await approveDelayed(element);
    for (const end = performance.now() + 2 * standardDelay; performance.now() < end;); // no frame is painted
    element.requestUpdate();
    await element.updateComplete;
    expect(isDisabled(element)).to.equal(true);
    let frames = 0;
    for (; isDisabled(element); frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(frames).to.be.at.least(standardDelay / 50);
  });

  it('shows controls that are added while it waits, except an unchanged token', async () => {
    live();
    const element = review();
    const tool = form('<input name=a><input type=hidden name=token value=1><input type=hidden name=sum value=5>');
    run({ a: 'x' });
    await shows(element);
    tool.insertAdjacentHTML(
      'beforeend',
      `<input name=late value=500><input name=empty><input value=nameless><input name=off value=off disabled>
       <input type=checkbox name=box checked><input type=checkbox name=unchecked>
       <input type=hidden name=token value=1><input type=hidden name=extra value=evil>`,
    );
    control(tool, 'sum').value = '9';
    await waitUntil(() => rows(element).length > 2);
    expect(rows(element)).to.deep.equal([
      'a|empty|x|',
      'sum|5|9|changed by the page',
      'late|not on the page|500|changed by the page',
      'box|not on the page|on|changed by the page',
      'extra|not on the page|evil|changed by the page',
    ]);
    control(tool, 'late').remove();
    await waitUntil(() => !rows(element).some((row) => row.startsWith('late')));
  });

  it('leaves a form to a review that the user can see and operate', async () => {
    live();
    const dialog = document.body.appendChild(document.createElement('dialog'));
    afterTest(() => dialog.remove());
    const inner = dialog.appendChild(document.createElement('webmcp-review'));
    const outer = review();
    const tool = form('<input name=a>');
    inner.htmlFor = tool.id = 'it';
    run({ a: 'x' });
    await shows(outer);
    expect(inner.showing).to.equal(false);
    dialog.showModal();
    await shows(inner);
    await gone(outer);
    dialog.close();
    await shows(outer);
    (outer.parentElement as HTMLElement).inert = true;
    await gone(outer);
    (outer.parentElement as HTMLElement).inert = false;
    await shows(outer);
    outer.style.visibility = 'hidden';
    await gone(outer);
  });

  it('isolates the direction of titles, labels and values, and truncates them', async () => {
    live();
    const element = review();
    const tool = form('<label>\u202eLabel <input name=a></label><textarea name=b></textarea>');
    tool.setAttribute(isNative ? 'data-tooltitle' : 'tooltitle', `\u202e${'T'.repeat(300)}`);
    await settled();
    run({ a: '\u202evalue', b: '1\n2\n3\n4\n5\n6' });
    await shows(element);
    expect(element.shadowRoot?.textContent).to.not.match(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text(one(element, 'heading').querySelector('bdi') ?? undefined)).to.equal(`${'T'.repeat(120)}…`);
    expect(announcement(element)).to.contain(`${'T'.repeat(120)}… has`);
    expect(text(one(element, 'label').querySelector('bdi') ?? undefined)).to.equal('Label');
    expect(root(element).querySelector('[part=now] bdi')?.textContent).to.equal('value');
    expect(all(element, 'now')[1]?.querySelector('bdi')?.textContent).to.equal('1\n2\n3\n4…');
    expect(all(element, 'now')[1]?.querySelector('details bdi')?.textContent).to.equal('1\n2\n3\n4\n5\n6');
  });

  it('names a group by its fieldset only if that has no other controls', async () => {
    live();
    const element = review();
    const radios = (name: string): string =>
      `<input type=radio name=${name} value=1><input type=radio name=${name} value=2>`;
    form(
      `<fieldset><legend>Seat</legend>${radios('seat')}</fieldset><fieldset><legend>Payment</legend>${radios('pay')}<input name=code></fieldset>`,
    );
    run({ seat: '1', pay: '2' });
    await shows(element);
    expect(rows(element)).to.deep.equal(['Seat|empty|1|', 'pay|empty|2|']);
  });

  it('stops Escape from closing a dialog around it', async () => {
    live();
    const element = review();
    form('<input name=a>');
    run({ a: 'x' });
    await shows(element);
    const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
    one(element, 'panel').dispatchEvent(event);
    expect(event.defaultPrevented).to.equal(true);
  });

  it('keeps a password hidden that the page reveals while it waits', async () => {
    live();
    const element = review();
    const tool = form('<input type=password name=p><input name=a>');
    run({ p: 'secret', a: 'x' });
    await shows(element);
    control(tool, 'p').type = 'text';
    control(tool, 'a').value = 'y';
    await waitUntil(() => rows(element)[1]?.includes('|y|'));
    expect(rows(element)[0]).to.match(/^p\|empty\|hidden\|/);
    control(tool, 'p').replaceWith(control(tool, 'p').cloneNode());
    control(tool, 'p').value = 'secret2';
    control(tool, 'a').value = 'z';
    await waitUntil(() => rows(element).some((row) => row.includes('|z|')));
    expect(root(element).innerHTML).to.not.contain('secret');
  });

  it('reports if the call ends because the page did not accept the approved form', async () => {
    const element = review();
    const tool = form('<input name=a>', 'other');
    tool.addEventListener('submit', (event) => event.preventDefault());
    const wait = dispatchAwaitUser(tool, tool.querySelector('button') as HTMLButtonElement);
    await shows(element);
    await approve(element);
    expect(announcement(element)).to.not.contain('did not accept');
    wait.abort(Object.assign(new Error('no'), { errors: [{ code: 'not-answered' }] }));
    await waitUntil(() => text(one(element, 'notice')).includes('did not accept the changes of a title'));
    await waitUntil(() => announcement(element).includes('did not accept'));
  });

  it('announces each message, even a repeated one, and clears them at the end', async () => {
    live();
    const element = review();
    form('<input name=a>');
    const announcements = (): (string | null)[] =>
      [...root(element).querySelectorAll('.live > *')].map((each) => each.textContent);
    for (const count of [2, 4]) {
      const { abort } = run({ a: 'x' });
      await waitUntil(() => announcements().length === count - 1);
      abort();
      await waitUntil(() => announcements().length === count);
    }
    expect(announcements()[2]).to.contain('has not changed');
    expect(announcements()[3]).to.equal(announcements()[1]);
    expect(announcements()[1]).to.contain('ended before');
    for (const notice of all(element, 'dismiss')) notice.click();
    await waitUntil(() => announcements().length === 0);
  });

  it('marks a control that is not visible, and reports that it cannot be focused', async () => {
    live();
    const element = review();
    const tool = form('<input name=a><input name=b>');
    run({ a: 'x', b: 'y' });
    await shows(element);
    expect(all(element, 'unseen')).to.have.length(0);
    control(tool, 'a').style.display = 'none';
    await waitUntil(() => all(element, 'unseen').length === 1);
    all(element, 'label')[0]?.click();
    await waitUntil(() => text(one(element, 'problem')).includes('not-visible'));
    await waitUntil(() => announcement(element) === reviewStrings['not-visible']);
    one(element, 'edit').click();
    await waitUntil(() => one(element, 'problem').hidden);
    expect(document.activeElement === control(tool, 'b')).to.equal(true);
  });

  it('has no accessibility violations in a review or a notice', async () => {
    live();
    const element = review();
    form(
      '<label>Name <input name=a></label><input type=color name=c aria-label=Color><textarea name=t aria-label=Text></textarea>',
    );
    const { abort } = run({ a: 'x', c: '#ff0000', t: 'y'.repeat(400) });
    await shows(element);
    for (const scheme of ['light', 'dark']) {
      element.style.colorScheme = scheme;
      await expect(element).to.be.accessible();
    }
    abort();
    await waitUntil(() => all(element, 'notice').length === 1);
    await expect(element).to.be.accessible();
  });
});
