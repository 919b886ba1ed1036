import type { JsonValue } from '../../../src/compiler/index.js';

/** A form, the input of an agent, and a script that sets the same values in a browser. */
export interface SubmittedForm {
  readonly name: string;
  /** The attributes of the form, beside `toolname` and `tooldescription`. */
  readonly form?: string;
  readonly controls: string;
  readonly input?: JsonValue;
  /** The body of a function of `form` that may return the submit button. */
  readonly script?: string;
  /** The markup before the form. */
  readonly before?: string;
  readonly after?: string;
  /** @default 'utf-8' */
  readonly charset?: string;
  readonly path?: string;
  /** Why the request differs from that of Chromium. */
  readonly deviates?: string;
}

const post = 'method=post action=/sent';
const multipart = `${post} enctype=multipart/form-data`;
const plain = `${post} enctype=text/plain`;

const file = (
  name: string,
  mediaType: string,
  content: string,
): { name: string; mediaType: string; content: string } => ({
  name,
  mediaType,
  content: Buffer.from(content, 'latin1').toString('base64'),
});
const setFiles = (...files: readonly { name: string; mediaType: string; content: string }[]): string => `
  const data = new DataTransfer();
  for (const { name, mediaType, content } of ${JSON.stringify(files)}) {
    const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
    data.items.add(new File([bytes], name, { type: mediaType }));
  }
  form.querySelector('[type=file]').files = data.files;`;

const hostile = `a=1&b="c'<d>;%20+\\ \t\0é€😀`;
const newlines = 'one\ntwo\r\nthree\rfour\n\r\n';
const types = 'text search tel url email date month week time datetime-local number range color'.split(' ');

const values: Readonly<Record<string, JsonValue>> = {
  text: hostile.replaceAll('\0', ''),
  unicode: 'ÿ ä 漢字 😀 \u202e \u0301 \ufeff',
  'lone surrogates': 'a\ud800b\udc00',
  'characters that urlencoding does not encode': "*-._ ~!'()",
  'control characters': '\u0001\u0007\u001b\u007f\u0085',
  empty: '',
  long: 'x'.repeat(100_000),
};

const ofValues = (['get', 'post', 'multipart', 'plain'] as const).flatMap((kind) =>
  Object.entries(values)
    .map(([name, value]): SubmittedForm => ({
      name: `${name} by ${kind}`,
      form: { get: 'action=/sent', post, multipart, plain }[kind],
      controls: '<input name=q><textarea name=t></textarea>',
      input: { q: value, t: value },
      script: `form.elements.q.value = form.elements.t.value = ${JSON.stringify(value)};`,
    }))
    .filter(({ name }) => !name.startsWith('long by get')),
);

const ofNewlines = (['get', 'post', 'multipart', 'plain'] as const).map((kind): SubmittedForm => ({
  name: `line ends by ${kind}`,
  form: { get: 'action=/sent', post, multipart, plain }[kind],
  controls:
    '<textarea name=t></textarea><input type=hidden name="h&#13;&#10;&#10;x&#13;y" value="a&#13;b&#10;c&#13;&#10;d">',
  input: { t: newlines },
  script: `form.elements.t.value = ${JSON.stringify(newlines)};`,
}));

const ofNames = (['get', 'post', 'multipart', 'plain'] as const).map((kind): SubmittedForm => ({
  name: `hostile names by ${kind}`,
  form: { get: 'action=/sent', post, multipart, plain }[kind],
  controls: `
      <input name='a"b' value=1><input name="a&#10;b" value=2><input name="a&#13;b" value=3><input name="a;filename=x" value=4>
      <input name="é😀" value=5><input name="a[b][]" value=6><input name="a=b&amp;c" value=7><input name=" " value=8>
      <input name="__proto__" value=9><input name="\\" value=10><input name="%22" value=11><input name="isindex" value=12>`,
}));

const ofDefaults: readonly SubmittedForm[] = [
  ...types.map((type) => ({
    name: `defaults of type ${type}`,
    form: post,
    ...(type === 'range' && {
      deviates: 'Against HTML, Chromium serializes the numbers of sliders again: 7 for 07, 1e+2 for 1e2.',
    }),
    controls: [
      '',
      'a',
      ' x@y.example ',
      'http://x.example/ ',
      '2024-02-29',
      '2024-02',
      '2024-W09',
      '12:30',
      '12:30:00.000',
      '2024-02-29T12:30',
      '2024-02-29 12:30:00',
      '7',
      '07',
      '1e2',
      '.5',
      '+5',
      ' 5',
      '1000',
      '-3',
      '#FFaa00',
      'a&#10;b',
    ]
      .map((value, at) => `<input formnovalidate type=${type} name=n${at} value="${value}">`)
      .join('')
      .concat('<button formnovalidate>Go</button>'),
  })),
  {
    name: 'a form-associated custom element',
    form: post,
    before: `<script>customElements.define('x-a', class extends HTMLElement {
      static formAssociated = true; #internals = this.attachInternals();
      connectedCallback() { this.value = this.getAttribute('value'); }
      set value(value) { this.#internals.setFormValue(value); }
    });</script>`,
    controls: `<x-a name=a value=v toolparamschema='{"type":"string"}'></x-a>
      <x-a name=b value=v toolparamschema='{"type":"string"}'></x-a><x-a name=c toolparamschema='{"type":"string"}'></x-a>`,
    input: { b: 'x\ny', c: '' },
    script: 'form.querySelector("[name=b]").value = "x\\ny"; form.querySelector("[name=c]").value = "";',
  },
  {
    name: 'a control with suggestions',
    form: post,
    controls: '<input name=a list=l value=1><datalist id=l><option value=2></datalist>',
  },
  {
    name: 'a control in a datalist',
    form: post,
    controls: '<datalist><input name=a value=1></datalist><input name=b value=2>',
  },
  {
    name: 'a textarea with hard wrapping',
    form: post,
    controls: `<textarea name=a wrap=hard cols=10>${'word '.repeat(10)}</textarea>`,
    deviates: 'Lines wrap only with a layout.',
  },
  {
    name: 'an empty dirname',
    form: post,
    controls: '<input name=a dirname="" value=1>',
    deviates: 'Against HTML, Chromium sends a direction without a name.',
  },
  {
    name: 'a button with an action and a method',
    form: post,
    controls: '<input name=a value=1><button formaction="/sent?a=b#c" formmethod=post formtarget=_self>Go</button>',
  },
  {
    name: 'ranges with limits and steps',
    form: post,
    controls: `<input type=range name=a min=10 max=20><input type=range name=b min=10 max=20 step=3 value=14>
      <input type=range name=c min=20 max=10><input type=range name=d step=0.1 min=0 max=1 value=0.33>
      <input type=range name=e step=any value=33.333><input type=range name=f min=-5 max=5 step=2 value=0>
      <input type=range name=g min=1 max=2><input type=range name=h step=7 value=100>
      <input type=range name=i min=0 max=0.95 step=0.05><input type=range name=j min=0.1 max=0.8 step=0.1>`,
  },
  {
    name: 'a multiple e-mail list',
    form: post,
    controls: '<input type=email multiple name=e value=" a@b.example , c@d.example"><input name=x>',
    input: { x: 'y' },
    script: 'form.elements.x.value = "y";',
  },
  {
    name: 'checkboxes and radios with their defaults',
    form: post,
    controls: `<input type=checkbox name=a><input type=checkbox name=b checked><input type=checkbox name=c value=1 checked>
      <input type=checkbox name=c value=2><input type=checkbox name=c value=3 checked><input type=checkbox name=d value checked>
      <input type=radio name=r value=1 checked><input type=radio name=r value=2 checked><input type=radio name=r value=3>
      <input type=radio name=s checked><input type=radio name=t value=1>`,
  },
  {
    name: 'checkboxes and radios that are set',
    form: post,
    controls: `<input type=checkbox name=a><input type=checkbox name=b checked><input type=checkbox name=c value=1 checked>
      <input type=checkbox name=c value=2><input type=checkbox name=c value=3>
      <input type=radio name=r value=1 checked><input type=radio name=r value=2>`,
    input: { a: true, b: false, c: ['2', '3'], r: '2' },
    script: `const c = (s, on) => { form.querySelector(s).checked = on; };
      c('[name=a]', true); c('[name=b]', false); c('[value="1"]', false); c('[name=c][value="2"]', true);
      c('[name=c][value="3"]', true); c('[name=r][value="2"]', true);`,
  },
  {
    name: 'a disabled radio button that was checked last',
    form: post,
    controls:
      '<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked disabled><input name=x value=1>',
  },
  {
    name: 'selects with their defaults',
    form: post,
    controls: `<select name=a><option>1<option>2</select><select name=b><option disabled>1<option>2</select>
      <select name=c><option>1<option selected disabled>2</select><select name=d size=3><option>1<option>2</select>
      <select name=e multiple><option selected>1<option>2<option selected>3<option selected disabled>4</select>
      <select name=f></select><select name=g><option value>none<option>2</select>
      <select name=h><optgroup disabled label=x><option>1</optgroup><option>2</select>
      <select name=i><option>  a   b  </select><select name=j><option value=" x ">y</select>
      <select name=k><option selected>1<option selected>2</select><select name=l size=0><option>1</select>
      <select name=m multiple><optgroup disabled label=x><option selected>1</optgroup><option selected>2</select>`,
  },
  {
    name: 'selects that are set',
    form: post,
    controls: `<select name=a><option>1<option>2</select>
      <select name=e multiple><option selected>1<option>2<option>3<option disabled>4</select>`,
    input: { a: '2', e: ['2', '3'] },
    script: `form.elements.a.value = '2'; [...form.elements.e.options].forEach((o, i) => { o.selected = i === 1 || i === 2; });`,
  },
  {
    name: 'a select with nothing selected',
    form: post,
    controls: '<select name=e multiple><option selected>1</select><input name=x value=1>',
    input: { e: [] },
    script: 'form.elements.e.value = "";',
  },
  {
    name: 'disabled and readonly controls',
    form: post,
    controls: `<input name=a value=1 disabled><input name=b value=2 readonly><textarea name=c readonly>3</textarea>
      <fieldset disabled><legend><input name=d value=4></legend><legend><input name=e value=5></legend><input name=f value=6>
      <fieldset><legend><input name=g value=7></legend></fieldset></fieldset>
      <select name=h disabled><option>8</select><fieldset><input name=i value=9></fieldset><button name=j disabled>x</button>`,
  },
  {
    name: 'controls without a name, and elements without entries',
    form: post,
    controls: `<input value=1><input name value=2><output name=o>3</output><object name=p></object><fieldset name=f></fieldset>
      <input type=reset name=r value=4><input type=button name=b value=5><button type=button name=c value=6>x</button>
      <meter name=m value=1></meter><input name=x value=7>`,
  },
  {
    name: 'textareas',
    form: post,
    controls: `<textarea name=a>
first newline goes</textarea><textarea name=b>

second stays</textarea><textarea name=c>a&#13;b&#13;&#10;c
d</textarea><textarea name=d></textarea><textarea name=e>&lt;p&gt;</textarea>`,
  },
  {
    name: 'hidden controls from the page',
    form: post,
    controls: `<input type=hidden name=token value="s3cr&quot;et"><input type=hidden name=empty><input type=hidden name=lines
      value="a&#10;b"><input type=hidden name=off value=x disabled><input name=q value=1>`,
  },
  {
    name: 'a hidden _charset_',
    form: post,
    controls: '<input type=hidden name=_charset_ value=x><input name=q value=1>',
  },
  { name: 'a hidden _CHARSET_', form: post, controls: '<input type=hidden name=_CHARSET_><input name=q value=é>' },
  { name: 'a text _charset_', form: post, controls: '<input name=_charset_ value=x>' },
  {
    name: 'directions',
    form: post,
    controls: `<input name=a dirname=a.dir value=x><textarea name=b dirname=b.dir dir=rtl>x</textarea>
      <div dir=rtl><input name=c dirname=c.dir value=x><input type=tel name=d dirname=d.dir value=1></div>
      <input name=e dirname=e.dir dir=auto value="שלום"><input name=f dirname=f.dir dir=auto value="12 abc">
      <input type=hidden name=g dirname=g.dir value=x><input type=number name=h dirname=h.dir value=1>
      <input dirname=j.dir value=x><input type=password name=k dirname=k.dir>`,
  },
  {
    name: 'the direction of a submit button',
    deviates: 'Against HTML, Chromium sends the direction of a button before its value.',
    form: post,
    controls: '<input name=a value=1><input type=submit name=s value=S dirname=s.dir>',
  },
];

const ofButtons: readonly SubmittedForm[] = [
  { name: 'no button', form: post, controls: '<input name=a value=1>' },
  { name: 'a nameless button', form: post, controls: '<input name=a value=1><button>Go</button>' },
  { name: 'a named button without a value', form: post, controls: '<button name=go>Go</button><input name=a value=1>' },
  { name: 'a submit input without a value', form: post, controls: '<input type=submit name=go><input name=a value=1>' },
  {
    name: 'a submit input with an empty value',
    form: post,
    controls: '<input type=submit name=go value=""><input name=a value=1>',
  },
  { name: 'an image button', form: post, controls: '<input type=image name=go value=x alt=Go><input name=a value=1>' },
  { name: 'a nameless image button', form: post, controls: '<input name=a value=1><input type=image alt=Go>' },
  { name: 'an image button by GET', form: 'action=/sent', controls: '<input type=image name="g o" alt=Go>' },
  {
    name: 'the default button among several',
    form: post,
    controls:
      '<button type=button name=no>no</button><button disabled name=off>off</button><button name=a value=1>1</button><button name=a value=2>2</button>',
  },
  {
    name: 'a chosen button',
    form: post,
    controls: '<button name=a value=1>1</button><input name=q value=x><button name=a value=2>2</button>',
    input: { a: '2' },
    script: 'return form.querySelector("[value=\\"2\\"]");',
  },
  {
    name: 'a button with an action, a method and an encoding',
    deviates: 'Against HTML, Chromium sends urlencoded entries as text/plain.',
    form: 'action=/other?x=1',
    controls:
      '<input name=a value="é b"><button formaction="/sent?a=b#c" formmethod=post formenctype=text/plain formtarget=_self>Go</button>',
  },
  {
    name: 'a button with an empty formaction',
    form: post,
    controls: '<input name=a value=1><button formaction="">Go</button>',
  },
  {
    name: 'a button with an invalid formmethod',
    form: post,
    controls: '<input name=a value=1><button formmethod=put>Go</button>',
  },
  {
    name: 'a button with an invalid formenctype',
    form: multipart,
    controls: '<input name=a value=1><button formenctype=x>Go</button>',
  },
  {
    name: 'a button with multipart',
    form: post,
    controls: '<input name=a value=1><button formenctype=MULTIPART/form-data>Go</button>',
  },
];

const ofActions: readonly SubmittedForm[] = [
  { name: 'no action by GET', form: '', controls: '<input name=a value=1>', path: '/page/x?q=1&r=2' },
  { name: 'no action by POST', form: 'method=post', controls: '<input name=a value=1>', path: '/page/x?q=1&r=2' },
  {
    name: 'an empty action with a base',
    form: 'action="" method=post',
    before: '<base href=/elsewhere/>',
    controls: '<input name=a value=1>',
  },
  {
    name: 'a relative action with a base',
    form: 'action=there method=post',
    before: '<base href=/elsewhere/x>',
    controls: '<input name=a value=1>',
  },
  {
    name: 'a relative action with a relative base',
    form: 'action=there',
    before: '<base href=../up/>',
    controls: '<input name=a value=1>',
  },
  {
    name: 'two bases',
    form: 'action=there',
    before: '<base><base href=/one/><base href=/two/>',
    controls: '<input name=a value=1>',
  },
  { name: 'a query that GET replaces', form: 'action="/sent?old=1&amp;a=2#part"', controls: '<input name=a value=1>' },
  {
    name: 'a query that POST preserves',
    form: 'action="/sent?old=1&amp;é=ü#part" method=POST',
    controls: '<input name=a value=1>',
  },
  { name: 'no entries by GET', form: 'action="/sent?old=1"', controls: '<input value=1>' },
  { name: 'no entries by POST', form: post, controls: '<input value=1>' },
  { name: 'no entries as multipart', form: multipart, controls: '<input value=1>' },
  { name: 'no entries as text', form: plain, controls: '<input value=1>' },
  {
    name: 'an invalid method and enctype',
    form: 'action=/sent method=put enctype=x',
    controls: '<input name=a value=1>',
  },
  {
    name: 'an action with spaces and dots',
    form: 'action=" ./a b/../c%zz " method=post',
    controls: '<input name=a value=1>',
  },
  {
    name: 'controls outside of the form',
    form: `${post} id=f`,
    before: '<input form=f name=before value=1><input form=g name=other value=2>',
    controls: '<input name=inside value=3><input form=g name=moved value=4><input form="" name=none value=5>',
    after: '<input form=f name=after value=6><form id=g></form><button form=f name=go value=7>Go</button>',
  },
  {
    name: 'a form in a table',
    before: '<table><tr>',
    form: post,
    controls: '<td><input name=a value=1></td></tr><tr><td><input name=b value=2></td></tr>',
    after: '<tr><td><input name=c value=3></table>',
  },
  ...['utf-8', 'windows-1252', 'koi8-r', 'shift_jis', 'gb18030'].map((charset) => ({
    name: `an action with a query in ${charset}`,
    form: 'method=post action="/sent/&eacute;?city=Z&uuml;rich&amp;sign=&#9731;&amp;word=&#26085;&#26412;#&uuml;"',
    charset,
    controls: '<input name=a value=e>',
  })),
  {
    name: 'a button whose action has a query in windows-1252',
    form: post,
    charset: 'windows-1252',
    controls: '<input name=a value=e><button formaction="/sent?city=Z&uuml;rich">Go</button>',
  },
  { name: 'accept-charset of UTF-8', form: `${post} accept-charset=UTF-8`, controls: '<input name=a value=é>' },
  {
    name: 'accept-charset with only ASCII',
    form: `${post} accept-charset="x iso-8859-1 utf-8"`,
    controls: '<input name=a value=e><input type=hidden name=_charset_>',
  },
  {
    name: 'a page of windows-1252 with only ASCII',
    form: post,
    charset: 'windows-1252',
    controls: '<input name=a value=e><input type=hidden name=_charset_><input type=hidden name=b value=f>',
  },
  {
    name: 'a page of windows-1252 with accept-charset',
    form: `${post} accept-charset=utf-8`,
    charset: 'windows-1252',
    controls: '<input name=a value="&eacute;"><input type=hidden name=b value=f>',
  },
];

const pdf = file('report "1".pdf', 'application/pdf', '%PDF\0\x01\xff\r\n');
const ofFiles: readonly SubmittedForm[] = [
  {
    name: 'no file as multipart',
    form: multipart,
    controls: '<input type=file name=f><input type=file name=g multiple><input name=a value=1>',
  },
  { name: 'no file by POST', form: post, controls: '<input type=file name=f><input name=a value=1>' },
  { name: 'no file by GET', form: 'action=/sent', controls: '<input type=file name=f>' },
  { name: 'no file as text', form: plain, controls: '<input type=file name=f>' },
  { name: 'a file', form: multipart, controls: '<input type=file name=f>', input: { f: pdf }, script: setFiles(pdf) },
  {
    name: 'a file by POST',
    form: post,
    controls: '<input type=file name=f>',
    input: { f: pdf },
    script: setFiles(pdf),
  },
  {
    name: 'a file as text',
    form: plain,
    controls: '<input type=file name=f>',
    input: { f: pdf },
    script: setFiles(pdf),
  },
  ...[
    ['a file without a type', file('x.txt', '', 'text')],
    ['an empty file', file('x.txt', 'text/plain', '')],
    ['a file with a type in capitals', file('x.txt', 'Text/PLAIN; Charset=UTF-8', 'x')],
    ['a file with a hostile type', file('x.txt', 'a/b\r\nX-Evil: 1', 'x')],
    ['a file with a hostile name', file('a\r\nb\nc"d\\e/f;g=é😀%22.txt', 'text/plain', 'x\ny')],
    ['a file with the boundary in it', file('x', 'a/b', '--\r\n------\r\n')],
  ].map(([name, one]): SubmittedForm => ({
    name: name as string,
    form: multipart,
    controls: '<input type=file name="f&quot;&#10;">',
    input: { 'f"\n': one as JsonValue },
    script: setFiles(one as typeof pdf),
  })),
  {
    name: 'several files',
    form: multipart,
    controls: '<input name=a value=1><input type=file multiple name=f><input name=b value=2>',
    input: { f: [pdf, file('y.bin', 'application/octet-stream', '\0\0')] },
    script: setFiles(pdf, file('y.bin', 'application/octet-stream', '\0\0')),
  },
  {
    name: 'many values of one name',
    form: post,
    controls: Array.from({ length: 300 }, (_, index) => `<input name=v value=${index}>`).join(''),
  },
];

export const submittedForms: readonly SubmittedForm[] = [
  ...ofValues,
  ...ofNewlines,
  ...ofNames,
  ...ofDefaults,
  ...ofButtons,
  ...ofActions,
  ...ofFiles,
];
