import { expect } from '@open-wc/testing';
import { hasContentOf, hasWordsOf } from '../../../src/browser/adapters/editors/content.js';
import { findBeside } from '../../../src/browser/adapters/editors/beside.js';
import { domTree } from '../../../src/browser/dom/dom-tree.js';
import { editorOf, isSubmittedValue } from '../../../src/browser/call/editors.js';
import { settingsOf } from '../../../src/browser/settings.js';
import {
  answerEntries,
  call,
  live,
  names,
  place,
  placeTool,
  rejection,
  task,
  waitUntil,
  whereNotNative,
} from '../../support/browser/live.js';

const settings = { ...settingsOf({}), tree: domTree };
const find = (form: Element, selector: string): Element => form.querySelector(selector) as Element;
const isFound = (form: Element, selector = 'textarea'): boolean =>
  editorOf(settings, find(form, selector)) !== undefined;

const editable = '<div class=e contenteditable>Old</div>';

describe('an element with contenteditable', () => {
  for (const [position, html] of [
    ['after a textarea', `<textarea hidden></textarea>${editable}`],
    ['before a textarea', `${editable}<textarea hidden></textarea>`],
    ['in an element beside a textarea', `<textarea hidden></textarea><div><p>Tools</p>${editable}</div>`],
    [
      'in the field of a textarea',
      `<div>${editable}<p></p><textarea hidden></textarea></div><div contenteditable></div>`,
    ],
    ['after a described hidden input', `<input type=hidden toolparamdescription=d>${editable}`],
  ]) {
    it(`is the editor of a control that is not rendered: ${position}`, () => {
      const form = place(`<form>${html}</form>`);
      expect(findBeside(find(form, 'textarea,input'))).to.equal(find(form, '.e'));
      expect(isFound(form, 'textarea,input')).to.equal(true);
    });
  }

  for (const [reason, html] of [
    ['is rendered', `<textarea></textarea>${editable}`],
    ['has an editor on each side', `${editable}<textarea hidden></textarea>${editable}`],
    [
      'shares the editor with another control',
      `<p><textarea hidden></textarea></p><p><textarea hidden></textarea></p>${editable}`,
    ],
    ['shares its field with two editors', `<p><textarea hidden></textarea></p>${editable}${editable}`],
    ['has only an editor that cannot be edited', '<textarea hidden></textarea><div contenteditable=false></div>'],
    ['has only an editor that is not rendered', '<textarea hidden></textarea><div contenteditable hidden></div>'],
    ['is in another form', `<textarea hidden></textarea></form>${editable}`],
    ['is a hidden input without a description', `<input type=hidden>${editable}`],
    ['is a text field', `<input hidden>${editable}`],
  ]) {
    it(`is not the editor of a control that ${reason}`, () => {
      expect(isFound(place(`<form>${html}</form>`), 'textarea,input')).to.equal(false);
    });
  }

  whereNotNative('without a script of an editor', () => {
    it('receives the string of a call as text, without its markup', async () => {
      const form = placeTool('<textarea name=a hidden></textarea><div contenteditable>Old</div><button>Go</button>');
      const element = find(form, '[contenteditable]');
      form.addEventListener(
        'submit',
        () => ((find(form, 'textarea') as HTMLTextAreaElement).value = element.innerHTML),
      );
      answerEntries(form);
      live();
      expect(JSON.parse((await call({ a: 'x & y' })) as string)).to.deep.equal([['a', 'x &amp; y']]);
      expect(element.textContent).to.equal('x & y');
      await call({ a: '<img src=x: onerror="window.hasRun = true">' }).catch(() => undefined);
      expect(element.querySelector('img')).to.equal(null);
      expect(window).not.to.have.property('hasRun');
    });

    it('runs no script in a value that the page copies from the control into the element as HTML', async () => {
      const form = placeTool('<textarea name=a hidden></textarea><div contenteditable>Old</div><button>Go</button>');
      const [control, element] = [find(form, 'textarea') as HTMLTextAreaElement, find(form, '[contenteditable]')];
      control.addEventListener('input', () => (element.innerHTML = control.value));
      answerEntries(form);
      live();
      const a = `<b>New</b><img src="x:" onerror="window.hasRun = true"><iframe srcdoc="<script>parent.hasRun = true</script>">
        </iframe><a href="javascript:window.hasRun = true">x</a>`;
      const [[, sent]] = JSON.parse((await call({ a })) as string) as [[string, string]];
      await task();
      expect(window).not.to.have.property('hasRun');
      expect(sent).to.equal(control.value);
      expect(element.innerHTML).to.include('<b>New</b>');
      for (const html of [sent, element.innerHTML]) expect(html).not.to.match(/onerror|srcdoc|javascript/);
    });

    for (const [what, html] of [
      ['of no opacity', '<div style="opacity:0"><textarea name=a></textarea></div>'],
      ['of no visibility', '<textarea name=a style="visibility:hidden"></textarea>'],
      ['of no opacity with suggestions', '<div style="opacity:0"><input name=a aria-autocomplete=list></div>'],
      ['below the window', '<textarea name=a style="position:fixed;top:200vh"></textarea>'],
      ['left of the page', '<textarea name=a style="position:absolute;left:-9999px"></textarea>'],
      ['above the page', '<textarea name=a style="position:fixed;top:-900px;height:50px"></textarea>'],
      ['of no size', '<textarea name=a style="width:0;height:0;padding:0;border:0"></textarea>'],
      ['in a box of no size', '<div style="height:0;overflow:hidden"><textarea name=a></textarea></div>'],
      ['of one pixel', '<input name=a style="position:absolute;width:1px;height:1px;padding:0;border:0">'],
      ['that is not rendered', '<input name=a hidden>'],
      ['between two editors', `${editable}<textarea name=a hidden></textarea>${editable}`],
      [
        'with an editor without a tab stop',
        '<textarea name=a hidden></textarea><div contenteditable tabindex=-1></div>',
      ],
      ['with an editor that is switched off', '<textarea name=a hidden></textarea><div contenteditable=false></div>'],
      ['with an editor that is not rendered', '<textarea name=a hidden></textarea><div contenteditable hidden></div>'],
    ] as const)
      it(`runs no script in HTML that the page copies from a control ${what}`, async () => {
        const form = placeTool(`${html}<button>Go</button>`);
        place('<div class=shown></div>'); // outside of the form
        const shown = document.querySelector('.shown') as Element;
        const control = find(form, '[name=a]') as HTMLTextAreaElement;
        control.addEventListener('input', () => (shown.innerHTML = control.value));
        answerEntries(form);
        live();
        for (const a of [
          '<b>New</b><img src="x:" onerror="window.hasRun = true">',
          '<frameset>New<img src="x:" onerror="window.hasRun = true">',
        ]) {
          const answer = (await call({ a })) as string;
          await task();
          expect(answer).to.contain('The page shows the value of').and.not.to.contain('onerror');
          expect(window).not.to.have.property('hasRun');
        }
        for (const a of ['<p title="a">New</p> &amp; <br>a<b', 'if (a <b) c']) {
          expect(JSON.parse((await call({ a })) as string)).to.deep.equal([['a', a]]);
        }
      });

    it('runs no script in the value of a control left of the window, also if the page is scrolled', async () => {
      place('<div style="width:5000px;height:1px"></div>');
      const form = placeTool('<textarea name=a style="position:fixed;left:-500px"></textarea><button>Go</button>');
      window.scrollTo(800, 0);
      answerEntries(form);
      live();
      expect(await call({ a: '<b>New</b><img src="x:" onerror="window.hasRun = true">' })).not.to.contain('onerror');
      window.scrollTo(0, 0);
    });

    it('keeps the markup in the value of a control that users see', async () => {
      const a = '<img src="x:" onerror="window.hasRun = true">';
      const form = placeTool('<textarea name=a></textarea><button>Go</button>');
      answerEntries(form);
      live();
      expect(JSON.parse((await call({ a })) as string)).to.deep.equal([['a', a]]);
    });

    it('rejects a call if it does not accept the value', async () => {
      const form = placeTool('<textarea name=a hidden></textarea><div contenteditable>Old</div><button>Go</button>');
      const element = find(form, '[contenteditable]');
      element.addEventListener('paste', (event) => event.preventDefault());
      live();
      const { errors } = await rejection(call({ a: 'New' }));
      expect(errors.map(({ parameter, code }) => `${parameter}: ${code}`)).to.deep.equal(['a: not-kept']);
      expect(errors[0]?.message).to.include('it now has "Old"');
    });

    it('does not keep the focus', async () => {
      const form = placeTool(
        '<input name=b><textarea name=a hidden></textarea><div contenteditable>Old</div><button>Go</button>',
      );
      answerEntries(form);
      live();
      const other = find(form, 'input') as HTMLInputElement;
      other.focus();
      await call({ a: 'New' });
      expect(document.activeElement === other).to.equal(true);
    });
  });
});

describe('the search for an editor', () => {
  const names = ['tinymce', 'CodeMirror'] as const;
  afterEach(() => names.forEach((name) => Reflect.deleteProperty(window, name)));

  it('ignores globals and properties that do not belong to an editor', () => {
    const form = place(
      `<form id=tinymce><input name=get><textarea hidden></textarea>
       <div class="CodeMirror ck-editor__editable"></div><trix-editor></trix-editor></form>`,
    );
    expect(isFound(form)).to.equal(false);
    for (const value of [null, 1, {}, { get: 1 }, { get: () => null }, { get: () => [null] }, { get: () => [{}] }]) {
      Object.assign(window, { tinymce: value });
      Object.assign(find(form, '.CodeMirror'), { CodeMirror: value, ckeditorInstance: value });
      expect(isFound(form)).to.equal(false);
    }
  });

  it('survives getters that throw', () => {
    const form = place('<form><textarea hidden></textarea><div class="CodeMirror ck-editor__editable"></div></form>');
    const get = () => {
      throw new Error('private');
    };
    Object.defineProperty(window, 'tinymce', { get, configurable: true });
    Object.defineProperties(find(form, 'div'), { CodeMirror: { get }, ckeditorInstance: { get } });
    expect(isFound(form)).to.equal(false);
  });

  it('prefers the editor of the page', () => {
    const form = place(`<form><textarea hidden></textarea>${editable}</form>`);
    const own = { value: 'own', setValue: () => undefined };
    expect(editorOf(settingsOf({ editors: [() => own] }), find(form, 'textarea'))).to.equal(own);
  });
});

describe('an editor of the page', () => {
  /** Registers a form whose editor stores a value. */
  function register(set: (value: string) => string): { readonly form: HTMLFormElement; content: string } {
    const form = place(`<form data-toolname=t data-tooldescription=d data-toolautosubmit action="javascript:void 0">
      <textarea name=a required></textarea><button>Go</button></form>`);
    const page = { form, content: 'Old' };
    answerEntries(form);
    form.addEventListener('formdata', ({ formData }) => formData.set('a', page.content));
    const editor = {
      get value() {
        return page.content;
      },
      setValue: (value: string) => void (page.content = set(value)),
    };
    live({ editors: [(control) => (control.localName === 'textarea' ? editor : undefined)] });
    return page;
  }

  const isListed = () => waitUntil(async () => (await names()).includes('t'));

  it('sets the value of a control that is rendered and required', async () => {
    const page = register((value) => `<p>${value}</p>`);
    await isListed();
    expect(JSON.parse((await call({ a: 'New' })) as string)).to.deep.equal([['a', '<p>New</p>']]);
    expect(page.content).to.equal('<p>New</p>');
    expect((find(page.form, 'textarea') as HTMLTextAreaElement).value).to.equal('<p>New</p>');
  });

  whereNotNative('that does not accept a value', () => {
    it('rejects the call, and its error contains the value that the editor has set instead', async () => {
      register(() => '<p>Something else</p>');
      await isListed();
      const { errors } = await rejection(call({ a: 'New' }));
      expect(errors[0]?.code).to.equal('not-kept');
      expect(errors[0]?.message).to.include('it now has "<p>Something else</p>"');
    });
  });
});

describe('the comparison of values', () => {
  const control = document.body;
  for (const [actual, wanted, isSame] of [
    ['<p>Hello</p>', 'Hello', true],
    ['<p>a &lt; b &amp; c</p>', 'a < b & c', true],
    ['<p>One</p>\n<p>Two</p>', 'One\n\nTwo', true],
    ['Body of the <strong>post</strong>', '<p>Body of the <b>post</b></p>', true],
    ['<p><a href="../page">x</a></p>', '<a href="../page" target="_blank">x</a>', true],
    ['<p>مرحبا 日本語</p>', 'مرحبا 日本語', true],
    ['<p>&nbsp;</p>', '', true],
    ['<p>Hello</p>', 'Goodbye', false],
    ['', 'Hello', false],
    ['<p>x</p>', '<a href="/page">x</a>', false],
    ['<p>x</p>', 'x<img src="/a.png">', false],
    ['Hello', 'Hello<script>run()</script>', false],
  ] as const) {
    it(`finds ${isSame ? 'equal' : 'different'} content: ${wanted || '(empty)'} and ${actual || '(empty)'}`, () => {
      expect(hasContentOf(actual, wanted, control)).to.equal(isSame);
    });
  }

  it('finds all words of HTML content in the JSON of an editor', () => {
    expect(hasWordsOf('[{"insert":"One "},{"insert":"two\\n"}]', '<p>One <b>two</b></p>')).to.equal(true);
    expect(hasWordsOf('[{"insert":"One\\n"}]', 'One two')).to.equal(false);
    expect(hasWordsOf('anything', '')).to.equal(false);
  });

  it('is exact for a control without an editor, except for line breaks', () => {
    const form = place('<form><textarea></textarea></form>');
    const compare = (a: string, b: string) => isSubmittedValue(settings, find(form, 'textarea'), a, b);
    expect([compare('a\r\nb', 'a\nb'), compare('<p>a</p>', 'a')]).to.deep.equal([true, false]);
  });
});
