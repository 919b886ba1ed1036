// The site of bench/attacks.mjs: forms as the compiler saw them, and the hostile pages that the site serves afterwards.

const page = (body) => `<!doctype html><html lang="en"><title>Shop</title><body><main>${body}</main></body></html>`;

const form = (name, content) => `<form toolname="${name}" tooldescription="Orders tea." action="/${name}" method="post"
  toolautosubmit>${content}<button>Send</button></form>`;

const token = '<input type="hidden" name="token" value="4f1c9a52-7d3e-4b8a-9e6f-0a1b2c3d4e5f">';
const field = '<label>What <input name="q"></label>';

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('');

/** The size of a hostile part in bytes. With the rest of the page, it is below the limit of a response. */
const size = 4_800_000;
const fill = (piece) => piece.repeat(Math.floor(size / piece.length));

/** The content of the forms of requests. Their pages are not read. */
const plainForms = {
  emails: '<label>To <input type="email" multiple name="to" pattern="[a-z.@]+"></label>',
  words: `<label>Word <input name="word" pattern="[a-z]+( [a-z]+)*"></label><label>Link <input type="url" name="link"></label>
    <label>Number <input type="number" name="number"></label><label>Text <textarea name="text"></textarea></label>
    <label>Nested <input name="nested" pattern="(?:(?:(?:a?){30}){30}){30}"></label>`,
  times: ['date', 'month', 'week', 'datetime-local', 'time']
    .map((type) => `<label>${type} <input type="${type}" name="${type}"></label>`)
    .join(''),
  choices: `<label>Several <select multiple name="several">${times(2000, (index) => `<option>option ${index}`)}</select></label>
    ${times(300, (index) => `<label><input type="checkbox" name="box" value="box ${index}">Box ${index}</label>`)}`,
};

/** The hostile HTML of the served pages: in the form instead of `field`, and after the form. */
const hostileForms = {
  'pattern with repeated lookaheads': [`<label>What <input name="q" pattern="(?:(?=a{19000})){900}.*"></label>`],
  'pattern with a repeated class': [`<label>What <input name="q" pattern="[${'a-z'.repeat(33_000)}]{9000}"></label>`],
  'pattern with nested repeats': [`<label>What <input name="q" pattern="(?:(?:(?:a{0,99}){99}){99}){99}"></label>`],
  '100 long patterns': [
    field + times(100, (index) => `<input name="p${index}" value="a" pattern="(?:[a-z]{400}){${400 + index}}">`),
  ],
  'controls named by one text': [
    field + times(16_000, (index) => `<input name="a${index}" aria-labelledby="long">`),
    `<p id="long">${'word '.repeat(100_000)}</p>`,
  ],
  'one control named by 3,333 references': [
    `<label>What <input name="q" aria-labelledby="${'long '.repeat(3_333)}"></label>`,
    `<p id="long">${'word '.repeat(20_000)}</p>`,
  ],
  'described by nested elements': [
    field + times(5_000, (index) => `<input name="a${index}" aria-describedby="d${index % 400}">`),
    times(400, (index) => `<div id="d${index}">${'text '.repeat(40)}`),
  ],
  'inputs with one datalist': [
    field + times(4_000, (index) => `<input name="a${index}" list="options">`),
    `<datalist id="options">${times(4_000, (index) => `<option value="option ${index}">`)}</datalist>`,
  ],
  'radio groups': [field + times(26_000, (index) => `<input type="radio" name="r${index}" value="1">`)],
  'one radio group': [field + times(60_000, (index) => `<input type="radio" name="r" value="${index}">`)],
  'labels of one control': [field + times(60_000, () => `<label for="x">word</label>`) + '<input id="x" name="x">'],
  'options of one select': [
    `${field}<select name="s">${times(90_000, (index) => `<option value="${index}">word`)}</select>`,
  ],
  'nested fieldsets': [
    `${field}${times(400, () => '<fieldset><legend>word</legend>')}${times(20_000, (index) => `<input name="f${index}">`)}`,
  ],
  'forms of one name': [field, times(30_000, (index) => form('other', `<input name="a${index}">`))],
  'controls of another place': [field, times(60_000, (index) => `<input form="f" name="a${index}">`)],
};

const nested = (open, close, depth) => `${open.repeat(depth)}text${close.repeat(depth)}`;

const answers = {
  'plain text': fill('Tea is a drink. '),
  paragraphs: fill('<p>Tea is a drink.</p>'),
  'empty elements': fill('<b></b>'),
  'open formatting elements': fill('<b><p>'),
  'misnested formatting': fill('<a><b></a><i></b></i>'),
  'nested elements': nested('<div>', '</div>', 400_000),
  'tables in tables': fill('<table><tr><td>'),
  'foster parents': fill('<table>text<b>'),
  'attributes of one element': `<p ${times(400_000, (index) => `a${index}=1 `)}>`,
  'one long attribute': `<p title="${fill('x')}">`,
  'character references': fill('&notin;&amp;&#x1F600;'),
  'error messages': fill('<p class="error" role="alert">Wrong</p>'),
  'described errors': `${times(20_000, (index) => `<input name="q" aria-invalid="true" aria-describedby="e${index}"><p id="e${index}">Wrong</p>`)}`,
  'messages in messages': nested('<div role="status">', '</div>', 100_000),
  'white space': fill(' '),
  'white space in lines': fill(' \n\t'),
  'zero width characters': fill('\u200b'),
  'JSON-LD': `<script type="application/ld+json">${nested('[', ']', 500_000)}</script>`,
  templates: fill('<template>'),
  styles: fill('<style>a{}</style>'),
  'hidden elements': fill('<i hidden>x</i>'),
  'an echo of the input': fill('tea '),
};

const named = (pages, prefix) =>
  Object.fromEntries(
    Object.entries(pages).map(([title, content], index) => [`${prefix}_${index}`, { title, content }]),
  );

export const hostilePages = named(hostileForms, 'page');
export const hostileAnswers = named(answers, 'answer');
/** Forms whose answers set many cookies, are JSON, or are redirects. */
export const otherAnswers = { cookies: 'many long cookies', json: 'deep JSON', redirects: 'redirects to itself' };

/** The answer that comes with many long cookies. */
export const answerWithCookies = `<p>${'word '.repeat(900_000)}`;

/** The pages as the compiler sees them. */
export const compiledPages = () =>
  Object.fromEntries([
    ...Object.entries(plainForms).map(([name, content]) => [name, page(form(name, content))]),
    ...Object.keys(hostilePages).map((name) => [name, page(form(name, token + field))]),
    ...[...Object.keys(hostileAnswers), ...Object.keys(otherAnswers)].map((name) => [name, page(form(name, field))]),
  ]);

export function hostilePage(name) {
  const [inside, behind = ''] = hostilePages[name].content;
  return page(form(name, token + inside) + behind);
}

export const hostileAnswer = (name) => page(hostileAnswers[name].content);
