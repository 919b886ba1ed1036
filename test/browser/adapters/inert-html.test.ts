import { expect } from '@open-wc/testing';
import { inertHtml } from '../../../src/browser/adapters/editors/content.js';
import { load } from '../editors/page.js';
import { afterTest, answerEntries, call, live, placeTool, task, whereNotNative } from '../../support/browser/live.js';

describe('inertHtml', () => {
  for (const [value, html] of [
    ['a < b & "c"', '<p>a &lt; b &amp; "c"</p>'],
    ['One\r\ntwo\n\n \nthree', '<p>One<br>two</p><p>three</p>'],
    ['', '<p></p>'],
    ['<p onclick="x()" title="t">a</p>', '<p title="t">a</p>'],
    ['<a href="java\nscript:x()">a</a><a href=" JavaScript:x()">b</a>', '<a>a</a><a>b</a>'],
    ['a<script>x()</script><style>*{}</style><svg><set onbegin=x()></svg>', 'a'],
    [
      '<iframe src="https://a.test/" srcdoc="<script>x()</script>"></iframe>',
      '<iframe src="https://a.test/"></iframe>',
    ],
    ['x<!--more-->y', 'xy'],
    ['<!-- ko html: x --><p>a<!-- ko text: y --></p><!-- /ko --><!--more:x-->', '<p>a</p>'],
    ['<table><!--a--><tr><td>b<!-- wp:<img src=1> --></table>', '<table><tbody><tr><td>b</td></tr></tbody></table>'],
    ['<p>&eacute;</p>', '<p>é</p>'],
    // Frameworks
    ['<p x-data x-init="x()" @click="x()" x-on:click="x()" :title="x()" x-html="x">a</p>', '<p>a</p>'],
    ['<p hx-get=/x hx-on:click="x()" hx-on--load="x()" data-hx-on:load="x()" data-hx-post=/x>a</p>', '<p>a</p>'],
    ['<p _="on load x()" data-script="on load x()">a</p>', '<p>a</p>'],
    ['<p v-html="x" v-on:click="x()" #a [src]="x" (click)="x()" *ngIf="x" ng-init="x()">a</p>', '<p>a</p>'],
    ['<p data-controller=x data-action="load->x#y" data-x-url-value=/x up-href=/x data-turbo-stream>a</p>', '<p>a</p>'],
    [
      '<a href=/x data-method=delete data-remote=true data-confirm=x data-bs-toggle=x ping=/x>a</a>',
      '<a href="/x">a</a>',
    ],
    ['<p data-toolname=t toolname=t data-bind="html: x" slot=x popover autofocus>a</p>', '<p>a</p>'],
    ['<turbo-stream action=remove target=x></turbo-stream><turbo-frame src=/x></turbo-frame><x-y>b</x-y>a', 'a'],
    // Controls, names and addresses
    ['<form action=/x><input name=to value=x></form><button>b</button><input form=f name=to>a', 'a'],
    ['<select name=to><option>b</select><textarea name=to>b</textarea><output name=to>b</output>a', 'a'],
    ['<p id=form name=form>a</p><img name=modelContext id=x src=/x><a id=x name=y>b</a>', '<p>a</p><img><a>b</a>'],
    ['<base href=//x><meta http-equiv=refresh content="0;/x"><link rel=stylesheet href=/x>a', 'a'],
    ['<iframe src="data:text/html,x" name=_top allow=camera></iframe>', '<iframe></iframe>'],
    ['<a href="vbscript:x">a</a><a href="data:text/html,x">b</a><a href="x&#1;:y">c</a>', '<a>a</a><a>b</a><a>c</a>'],
    [
      '<a href="mailto:a@b.test">a</a><a href="?a:b">b</a><a href="#a">c</a>',
      '<a href="mailto:a@b.test">a</a><a href="?a:b">b</a><a href="#a">c</a>',
    ],
    ['<img src="data:image/png;base64,AA==" alt="a: b">', '<img src="data:image/png;base64,AA==" alt="a: b">'],
    ['<img src="data:image/svg+xml,x"><iframe src="data:image/x+xml,x"></iframe>', '<img><iframe></iframe>'],
    ['<svg><use href="data:image/svg+xml,x#y"></use><animate attributeName=href to="javascript:x()"></svg>a', 'a'],
    // Text that another parser reads as markup
    ['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src onerror=x()&gt;">', ''],
    ['<noscript><p title="</noscript><img src onerror=x()>"></noscript>a', ''],
    ['<noembed><p title="</noembed><img src onerror=x()>"></noembed><xmp><b></xmp>a', '<img>"&gt;a'],
    ['<template shadowrootmode=open><script>x()</script></template><object data=/x></object><embed src=/x>a', 'a'],
    // Requests to the site when the HTML is shown
    ['<img src=/logout><img src="a.png?do=logout"><img src="./a/b.PNG#c">', '<img><img><img src="./a/b.PNG#c">'],
    [`<img src="${location.origin}/logout"><img src="//${location.host}/logout"><img src="">`, '<img><img><img>'],
    [
      '<iframe src=/logout></iframe><video src="?logout"></video><img src="/a.svg">',
      '<iframe></iframe><video></video><img>',
    ],
    [
      '<img src="https://a.test/b?c=1"><img src="/logout.php/%2Epng"><img src="/files/a.webp">',
      '<img src="https://a.test/b?c=1"><img><img src="/files/a.webp">',
    ],
    [
      `<figure data-trix-attachment='{"content":"<img src=x>"}' data-trix-attributes='{}'><img src="a.png"></figure>`,
      '<figure><img src="a.png"></figure>',
    ],
    // A control that clobbers a property of its form
    ['<form src="/x"><input name="src">a</form><p>b</p>', '<p>b</p>'],
    // Boxes that cover the page
    ['<a class="fixed inset-0" href="#a">a</a><p class=" modal  stretched-link">b</p>', '<a href="#a">a</a><p>b</p>'],
    [
      '<pre class="language-js position-fixed">a</pre><pre class="language-js hljs">b</pre>',
      '<pre>a</pre><pre class="language-js hljs">b</pre>',
    ],
    ...[
      'ql-tooltip',
      'ql-container',
      'mce-floatpanel',
      'wp-lightbox-overlay',
      'media-modal',
      'table modal',
      'attachments',
      'align\tfixed',
      'align-left\nmodal',
    ].map((name) => [`<p class="${name}">a</p>`, '<p>a</p>'] as const),
    ['<p style="color:red;Position : fixed;inset:0">a</p><p style="margin: -99px">b</p>', '<p>a</p><p>b</p>'],
    [
      '<a rel="nofollow opener" target=_top href=/x>a</a><a target=menu href=/x>b</a>',
      '<a href="/x">a</a><a href="/x">b</a>',
    ],
    [
      '<a rel="a\nopener">a</a><a rel="a\topener">b</a><a rel="noopener\nnofollow">c</a>',
      '<a>a</a><a>b</a><a rel="noopener\nnofollow">c</a>',
    ],
    [
      '<p style="\n color : red;\n margin:\n1px 2px\n">a</p><p style="color:red;\nposition:fixed">b</p>',
      '<p style="\n color : red;\n margin:\n1px 2px\n">a</p><p>b</p>',
    ],
    ['<a style="display:block;width:100vw;height:100vh;transform:matrix(1,0,0,1,0,-500)">a</a>', '<a>a</a>'],
    ['<a style="width:100px;transform:matrix3d(9,0)">a</a><a style="offset-path:path(1)">b</a>', '<a>a</a><a>b</a>'],
    ['<a style="margin-top:calc(0px - 9px)">a</a><a style="margin-top:/**/-9px">b</a>', '<a>a</a><a>b</a>'],
    ['<p style="background:image-set(1)">a</p><p style="zoom:50">b</p>', '<p>a</p><p>b</p>'],
    ['<p style="p\\6fsition:fixed">a</p><p style="background:url(/x)">b</p>', '<p>a</p><p>b</p>'],
  ] as const) {
    it(`turns ${JSON.stringify(value)} into ${html}`, () => {
      expect(inertHtml(value)).to.equal(html);
    });
  }

  it('keeps the formatting of editors', () => {
    const html =
      '<h2 class="ql-align-center" dir="rtl" lang="ar">a</h2><p style="text-align:center;font-size:18px">b</p>' +
      '<table border="1"><colgroup><col span="2"></colgroup><tbody><tr><th scope="row" colspan="2">c</th></tr></tbody></table>' +
      '<ol start="3"><li data-list="bullet" value="4">d</li></ol><ul data-type="taskList"><li data-checked="true">e</li></ul>' +
      '<figure><img src="/a.png" alt="f" width="3" height="4"></figure>' +
      '<a href="https://a.test/" target="_blank" rel="noopener">g</a><blockquote>h</blockquote><pre><code>i</code></pre>' +
      '<video src="/a.mp4" controls=""></video><details open=""><summary>j</summary></details><span style="color:#f00">k</span>';
    expect(inertHtml(html)).to.equal(html);
  });

  for (const [editor, html] of Object.entries({
    'CKEditor 5':
      '<figure class="image image_resized image-style-side" style="width:50%"><img src="/a.jpg" width="2" height="1"></figure>' +
      '<figure class="table"><table><tbody><tr><td>a</td></tr></tbody></table></figure><figure class="media"></figure>' +
      '<p><span class="text-big">b</span><mark class="marker-yellow">c</mark></p><ul class="todo-list"><li><span class="todo-list__label">d</span></li></ul>' +
      '<pre><code class="language-plaintext">e</code></pre>',
    Quill:
      '<p class="ql-align-center ql-indent-1 ql-direction-rtl"><span class="ql-size-huge ql-font-serif">a</span></p>' +
      '<pre class="ql-syntax">b</pre><div class="ql-code-block-container"><div class="ql-code-block">c</div></div>' +
      '<iframe class="ql-video" src="https://www.youtube.com/embed/a"></iframe>',
    TinyMCE:
      '<pre class="language-markup"><code>a</code></pre><p style="text-align:center">b</p><img src="data:image/gif;base64,AA==">',
    WordPress:
      '<figure class="wp-block-image size-large"><img class="alignleft wp-image-7" src="/a.jpg"></figure><p class="wp-caption-text">a</p>',
    Trix:
      '<figure class="attachment attachment--preview attachment--jpg"><img src="/rails/a.jpg" width="2">' +
      '<figcaption class="attachment__caption"><span class="attachment__name">a.jpg</span></figcaption></figure>',
    'highlight.js': '<pre><code class="hljs language-js"><span class="hljs-keyword">let</span></code></pre>',
  })) {
    it(`keeps the content of ${editor}`, () => {
      expect(inertHtml(html)).to.equal(html);
    });
  }

  it('does not change the content that an editor had before the call', () => {
    const html = '<!-- a --><p id="b" class="fixed" onclick="c()"><img src="/d"></p>';
    expect(inertHtml(html, true)).to.equal(html);
  });
});

whereNotNative('the HTML of a call that a page shows', () => {
  const attack =
    '<b>New</b><p x-data x-init="window.hasRun = true" hx-get="/echo" hx-trigger="load">a</p><input name=role value=admin>';

  function openMirror(): HTMLFormElement {
    const form = placeTool('<textarea name=a hidden></textarea><div contenteditable>Old</div><button>Go</button>');
    const [control, element] = [form.querySelector('textarea'), form.querySelector('[contenteditable]')] as [
      HTMLTextAreaElement,
      HTMLElement,
    ];
    control.addEventListener('input', () => (element.innerHTML = control.value));
    answerEntries(form);
    live();
    return form;
  }

  it('requests no URL of the site but media files, and contains no class of the page and no comment', async () => {
    const form = openMirror();
    await call({ a: '<b class="fixed inset-0">New</b><img src="/echo?logout"><!-- ko text: x -->' });
    expect(form.querySelector('[contenteditable]')?.innerHTML).to.equal('<b>New</b><img>');
    expect(performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/echo?logout'))).to.equal(false);
  });

  for (const start of ['http://user:password@', 'https://', '//user@'])
    it(`requests no URL with the host of the site but media files: ${start}`, async () => {
      const form = openMirror();
      await call({ a: `<b>New</b><img src="${start}${location.host}/echo?logout">` });
      expect(form.querySelector('[contenteditable]')?.innerHTML).to.equal('<b>New</b><img>');
    });

  it('has no effect in Alpine and htmx, and adds no entry to the form', async () => {
    await Promise.all([load('alpinejs/dist/cdn.js'), load('htmx.org/dist/htmx.js')]);
    const form = openMirror();
    let hasRequested = false;
    const onRequest = (): void => void (hasRequested = true);
    document.addEventListener('htmx:before:request', onRequest);
    afterTest(() => document.removeEventListener('htmx:before:request', onRequest));
    form.addEventListener('input', () =>
      (Reflect.get(window, 'htmx') as { process(root: Element): void }).process(form),
    );
    const answer = await call({ a: attack });
    await task();
    await task();
    expect([Reflect.has(window, 'hasRun'), hasRequested]).to.deep.equal([false, false]);
    expect((JSON.parse(answer as string) as [string, string][]).map(([name]) => name)).to.deep.equal(['a']);
  });
});
