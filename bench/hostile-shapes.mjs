// Pages that try to make the compiler work more than in proportion to their size. Each shape is a function of the number
// of characters that its page should have.

const form = (content, annotations = 'toolname=t tooldescription=d') => `<form ${annotations}>${content}</form>`;

/** Repeats a piece until it has about `size` characters. */
function fill(size, piece) {
  const parts = [];
  for (let length = 0, index = 0; length < size; index++) {
    const part = typeof piece === 'string' ? piece : piece(index);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}

const nested = (count, open, content, close) => open.repeat(count) + content + close.repeat(count);
const text = (size) => 'lorem ipsum '.repeat(size / 12);
const half = (size) => size / 2;
const deep = 450;

/** Nested elements with the IDs i0, i1, ... around a text. */
function nestedTargets(count, content) {
  const open = Array.from({ length: count }, (_, index) => `<div id=i${index}>`).join('');
  return open + content + '</div>'.repeat(count);
}
const ids = (count) => Array.from({ length: count }, (_, index) => `i${index}`).join(' ');

/** A JSON Schema in which tuples and objects alternate, so that descriptions contain schemas in text. */
const tuples = (depth) =>
  depth === 0 ? '{"type":"string"}' : `{"prefixItems":[{"properties":{"a":${tuples(depth - 1)}}}]}`;

const attribute = (json) => json.replaceAll('&', '&amp;').replaceAll("'", '&#39;');

export const shapes = {
  'plain text': (size) => form(`<p>${text(size)}</p><input name=a>`),
  'short tags': (size) => form('<input name=a>') + fill(size, '<b></b>'),
  'text controls': (size) => form(fill(size, (i) => `<input name=n${i}>`)),
  'controls without names': (size) => form(fill(size, '<input>')),
  'controls of one name': (size) => form(fill(size, '<input name=a>')),
  'required controls': (size) => form(fill(size, (i) => `<input required name=n${i}>`)),
  'required controls without names': (size) => form(fill(size, '<input required>')),
  'labels around controls': (size) => form(fill(size, (i) => `<label>L${i}<input name=n${i}></label>`)),
  'labels by ID': (size) => form(fill(size, (i) => `<label for=i${i}>L</label><input id=i${i} name=n${i}>`)),
  'many labels of one control': (size) => form(`<input id=a name=a>${fill(size, '<label for=a>x</label>')}`),
  'nested labels': (size) => form(fill(size, `${'<label>x'.repeat(100)}<input name=a>${'</label>'.repeat(100)}`)),
  'nested labels around a long text': (size) => form(nested(100, '<label>', `<input name=a>${text(size)}`, '</label>')),
  'one text that all controls name': (size) =>
    form(`<p id=a>${text(half(size))}</p>${fill(half(size), (i) => `<input name=n${i} aria-labelledby=a>`)}`),
  'one text of 90 kB that all controls name': (size) =>
    form(`<p id=a>${text(90_000)}</p>${fill(size - 90_000, (i) => `<input name=n${i} aria-labelledby=a>`)}`),
  'one text that describes all controls': (size) =>
    form(`<p id=a>${text(1000)}</p>${fill(size, (i) => `<input name=n${i} aria-describedby=a title=t>`)}`),
  'references to nested texts': (size) =>
    form(
      nestedTargets(deep, text(size * 0.9)) +
        fill(size * 0.05, (i) => `<input name=n${i} aria-labelledby="${ids(deep)}">`),
    ),
  'references to nested elements without text': (size) =>
    form(
      nestedTargets(deep, fill(size * 0.9, '<b></b>')) +
        fill(size * 0.05, (i) => `<input name=n${i} aria-labelledby="${ids(deep)}">`),
    ),
  'many references of every control': (size) =>
    form(
      fill(3000 * 16, (i) => `<p id=i${i}>x</p>`) +
        fill(size, (i) => `<input name=n${i} aria-describedby="${ids(3000)}">`),
    ),
  'references of one control': (size) =>
    form(`${fill(half(size), (i) => `<p id=i${i}>x</p>`)}<input name=a aria-labelledby="${ids(half(size) / 8)}">`),
  'equal IDs': (size) => form(fill(size, (i) => `<input id=a name=n${i} aria-labelledby=a>`)),
  'a hidden text that all controls name': (size) =>
    form(
      `<div id=a aria-label=x hidden>${fill(half(size), '<i role=listbox></i>')}</div>` +
        fill(half(size), (i) => `<input name=n${i} aria-labelledby=a>`),
    ),
  'one datalist of all controls': (size) =>
    form(
      `<datalist id=a>${fill(half(size), (i) => `<option>o${i}`)}</datalist>` +
        fill(half(size), (i) => `<input name=n${i} list=a>`),
    ),
  'one datalist of all dates': (size) =>
    form(
      `<datalist id=a>${fill(half(size), (i) => `<option>20${(i % 90) + 10}-01-01`)}</datalist>` +
        fill(half(size), (i) => `<input type=date name=n${i} list=a>`),
    ),
  'a datalist of controls of one name': (size) =>
    form(`<datalist id=a>${fill(20_000, (i) => `<option>o${i}`)}</datalist>` + fill(size, `<input name=a list=a>`)),
  'nested options in a datalist': (size) =>
    form(
      `<input name=a list=a><datalist id=a>${nested(200, '<option><div>', text(size), '</div></option>')}</datalist>`,
    ),
  'deep options in a datalist': (size) =>
    form(`<input name=a list=a><datalist id=a>${nested(deep, '<div>', fill(size, '<option>o'), '</div>')}</datalist>`),
  'radio groups': (size) => form(fill(size, (i) => `<input type=radio name=n${i}>`)),
  'required radio groups': (size) => form(fill(size, (i) => `<input type=radio required name=n${i}>`)),
  'one radio group': (size) => form(fill(size, (i) => `<input type=radio name=a value=${i}>`)),
  'one radio group of equal values': (size) => form(fill(size, '<input type=radio name=a>')),
  'one required group of checkboxes': (size) =>
    form(fill(size, (i) => `<input type=checkbox required checked name=a value=${i}>`)),
  'checkboxes in fieldsets of one name': (size) =>
    form(fill(size, '<fieldset><legend>L</legend><input type=checkbox name=a></fieldset>')),
  'checkboxes in 100 fieldsets': (size) =>
    form(
      nested(
        100,
        '<fieldset><legend>L</legend>',
        fill(size, '<p role=group><input type=checkbox name=a></p>'),
        '</fieldset>',
      ),
    ),
  options: (size) => form(`<select name=a>${fill(size, (i) => `<option>o${i}`)}</select>`),
  'options without values': (size) => form(`<select name=a>${fill(size, '<option>')}</select>`),
  'equal options': (size) => form(`<select name=a>${fill(size, '<option value=a>b')}</select>`),
  'selected options': (size) => form(`<select name=a multiple>${fill(size, (i) => `<option selected>o${i}`)}</select>`),
  'option groups': (size) =>
    form(`<select name=a>${fill(size, (i) => `<optgroup label=g${i}><option>o${i}</optgroup>`)}</select>`),
  'selects of one name': (size) => form(fill(size, (i) => `<select name=a><option>o${i}<option>p</select>`)),
  'selects without options': (size) => form(fill(size, (i) => `<select name=n${i}></select>`)),
  'legends of a disabled fieldset': (size) =>
    form(
      `<fieldset disabled>${fill(half(size), '<br>')}` +
        `${fill(half(size), (i) => `<legend><input name=n${i}></legend>`)}</fieldset>`,
    ),
  'nested fieldsets and legends': (size) =>
    form(fill(size, nested(100, '<fieldset><legend>L', '<input name=a>', '</legend></fieldset>'))),
  'nested legends around a long text': (size) =>
    form(nested(100, '<fieldset><legend>', `<input name=a>${text(size)}`, '</legend></fieldset>')),
  'deep groups': (size) =>
    form(
      nested(deep, '<p role=group aria-label=L>', '', '') + fill(size, (i) => `<i role=group><input name=n${i}></i>`),
    ),
  forms: (size) => fill(size, (i) => form(`<input name=a>`, `toolname=t${i} tooldescription=d`)),
  'forms of one name': (size) => fill(size, form('<input name=a>')),
  'deep forms': (size) =>
    nested(
      deep,
      '<div>',
      fill(size, (i) => form('<input name=a>', `toolname=t${i} tooldescription=d`)),
      '',
    ),
  'deep forms in fieldsets': (size) =>
    nested(
      deep,
      '<fieldset>',
      fill(size, (i) => form('<input name=a>', `toolname=t${i} tooldescription=d`)),
      '',
    ),
  'controls of forms elsewhere': (size) =>
    fill(half(size), (i) => form('', `id=f${i} toolname=t${i} tooldescription=d`)) +
    nested(
      deep,
      '<fieldset><legend>L</legend>',
      fill(half(size), (i) => `<input name=a form=f${i}>`),
      '',
    ),
  'forms that all name one text': (size) =>
    `<p id=a>${text(90_000)}</p>` +
    fill(size, (i) => form('<input name=a aria-labelledby=a>', `toolname=t${i} tooldescription=d`)),
  'forms in tables': (size) =>
    fill(size, (i) => `<table>${form('<tr><td><input name=a>', `toolname=t${i} tooldescription=d`)}</table>`),
  'controls in front of a table': (size) => form(`<table>${fill(size, (i) => `<input name=n${i}>`)}</table>`),
  'text in front of tables': (size) => form(`<label for=a>${fill(size, '<table>x')}</label><input name=a id=a>`),
  'shadow roots': (size) =>
    fill(
      size,
      (i) =>
        `<div><template shadowrootmode=open>${form('<input name=a>', `toolname=t${i} tooldescription=d`)}</template></div>`,
    ),
  'nested shadow roots': (size) =>
    fill(size, nested(100, '<div><template shadowrootmode=open>', form('<input name=a>'), '</template></div>')),
  templates: (size) => form(fill(size, '<template><input name=a></template>')),
  'a large value': (size) => form(`<input name=a value="${text(size)}">`),
  'a large text': (size) => form(`<textarea name=a>${text(size)}</textarea>`),
  'a large label': (size) => form(`<label>${text(size)}<input name=a></label>`),
  'a large label of spaces': (size) => form(`<label>${' \n'.repeat(half(size))}<input name=a></label>`),
  'a large title with an access key': (size) => form(`<input name=a accesskey=x title="${'[x '.repeat(size / 3)}">`),
  'a large description': (size) => form('<input name=a>', `toolname=t tooldescription="${text(size)}"`),
  'a large name': (size) => form(`<input name="${'[a]'.repeat(size / 3)}">`),
  'large names': (size) => form(fill(size, (i) => `<input name="${'é'.repeat(190)}${i}">`)),
  'names that clash': (size) =>
    form(fill(size, (i) => `<input name="é${' '.repeat(i % 50)}${i % 100}"><input name=e_${i}>`)),
  attributes: (size) => form(`<input name=a ${fill(size, (i) => ` a${i}`)}>`),
  'white space in an address': (size) => form(`<input type=email multiple name=a value="${' ,'.repeat(half(size))}">`),
  'an address': (size) => form(`<input type=email required name=a value="a@${'a-'.repeat(half(size))}">`),
  'a URL': (size) =>
    form(`<input type=url required name=a value="http:${'/'.repeat(half(size))}${'@'.repeat(half(size))}">`),
  'a number of many digits': (size) =>
    form(`<input type=number name=a min=${'1'.repeat(size)} value=${'9'.repeat(300)}>`),
  'numbers with long fractions': (size) =>
    form(fill(size, (i) => `<input type=number name=n${i} step=1e-300 min=1e300 max=1e308 value=1e299>`)),
  'a date of many digits': (size) => form(`<input type=date name=a min=${'1'.repeat(size)}-01-01>`),
  dates: (size) =>
    form(
      fill(size, (i) => `<input type=date name=n${i} min=${1000 + (i % 8000)}-02-03 max=9${100 + (i % 900)}-03-05>`),
    ),
  'local times': (size) =>
    form(
      fill(
        size,
        (i) =>
          `<input type=datetime-local name=n${i} step=0.001 min=${1000 + (i % 8000)}-02-03T11:13:17.3${i % 90} max=9999-03-05T01:02:03.4>`,
      ),
    ),
  'weeks with steps': (size) =>
    form(fill(size, (i) => `<input type=week step=3 name=n${i} min=${1000 + (i % 8000)}-W07>`)),
  'times with steps': (size) =>
    form(fill(size, (i) => `<input type=time step=${i + 1} name=n${i} min=23:01 max=02:0${i % 10}>`)),
  patterns: (size) => form(fill(size, (i) => `<input name=n${i} pattern=[a-z]${i}>`)),
  'patterns of properties': (size) => form(fill(size, (i) => `<input name=n${i} pattern="[\\p{L}\\p{N}]${i}">`)),
  'a pattern of properties': (size) => form(`<input name=a pattern="${'\\p{L}'.repeat(size / 5)}">`),
  'a pattern of classes': (size) => form(`<input name=a pattern="${fill(size, (i) => `[a${i}]`)}">`),
  'a pattern of escapes': (size) => form(`<input name=a pattern="${'\\d'.repeat(half(size))}">`),
  'a pattern of strings': (size) => form(`<input name=a pattern="[\\q{${fill(size, (i) => `a${i}|`)}}]">`),
  'patterns of subtractions': (size) =>
    form(fill(size, (i) => `<input name=n${i} pattern="${'[\\w--'.repeat(90)}${i}${']'.repeat(90)}">`)),
  'a pattern of groups': (size) => form(`<input name=a pattern="${'('.repeat(half(size))}${')'.repeat(half(size))}">`),
  'patterns of large counts': (size) =>
    form(fill(size, (i) => `<input name=n${i} pattern="(?:(?=a{19000})){900}${i}">`)),
  'custom elements': (size) => form(fill(size, (i) => `<x-a name=n${i} toolparamschema='{"type":"string"}'></x-a>`)),
  'a large schema': (size) => form(`<x-a name=a toolparamschema='{"enum":[${fill(size, (i) => `${i},`)}0]}'></x-a>`),
  'a deep schema': (size) =>
    form(`<x-a name=a toolparamschema='${'{"items":'.repeat(size / 10)}{}${'}'.repeat(size / 10)}'></x-a>`),
  'schemas of nested tuples': (size) =>
    form(`<x-a name=a toolparamschema='${attribute(tuples(20))}'></x-a>${text(size)}`),
  'submit buttons': (size) => form(fill(size, (i) => `<button name=a value=${i}>B</button>`)),
  'submit buttons with long texts': (size) =>
    form(
      nested(
        deep,
        '<i>',
        fill(size, (i) => `<button name=b${i}>${'x '.repeat(50)}</button>`),
        '',
      ),
    ),
  dirname: (size) => form(fill(size, (i) => `<input name=n${i} dirname=d${i}>`)),
  'tool elements': (size) =>
    fill(size, (i) => `<webmcp-tool name=t${i} description=d><form><input name=a></form></webmcp-tool>`),
  'tool elements of one form': (size) =>
    `<form id=f><input name=a></form>${fill(size, (i) => `<webmcp-tool name=t${i} description=d for=f></webmcp-tool>`)}`,
  'nested tool elements': (size) =>
    fill(size, nested(200, '<webmcp-tool name=t description=d>', '<form><input name=a></form>', '</webmcp-tool>')),
  'parameters of a tool element': (size) =>
    `<webmcp-tool name=t description=d>${fill(size, (i) => `<webmcp-param name=n${i} enum="a, b, c"></webmcp-param>`)}</webmcp-tool>`,
  'parameters that describe controls': (size) =>
    `<webmcp-tool name=t description=d><form>${fill(half(size), (i) => `<input name=n${i}>`)}</form>` +
    `${fill(half(size), (i) => `<webmcp-param name=n${i} description=d></webmcp-param>`)}</webmcp-tool>`,
  'schema of a tool element': (size) =>
    `<webmcp-tool name=t description=d><script type=application/schema+json>{"enum":[${fill(size, (i) => `${i},`)}0]}</script></webmcp-tool>`,
  'formatting elements in paragraphs': (size) =>
    form(`<input name=a>${fill(200, (i) => `<b a=${i}>`)}${fill(size / 20, '<p>x')}`),
  'unclosed links': (size) => form(`<input name=a>${fill(size / 20, '<a><p>')}`),
  'elements nested 100,000 deep': () => form(`${'<div>'.repeat(100_000)}<input name=a>`),
};
