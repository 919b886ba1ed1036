// The requests and answers of bench/requests.mjs, each of at most 8 MB.

const options = (count) => Array.from({ length: count }, (_, index) => `<option>o${index}</option>`).join('');
const custom = (name, schema) => `<x-a name=${name} toolparamschema='${JSON.stringify(schema)}'></x-a>`;
const nested = (levels) => (levels === 0 ? { type: 'integer' } : { items: nested(levels - 1), maxItems: 1e6 });
const values = Array.from({ length: 1000 }, (_, index) => ({ [`v${index}`]: index }));

const controls = `
  <input name=text><input name=pattern pattern="[a-z .@]+"><input name=evil pattern="(a+)+b"><input name=short maxlength=9>
  <input name=ahead pattern="(?:(?!.*x)a)*b"><input name=many pattern="(?:a?){2000}b"><textarea name=area></textarea>
  <input name=huge pattern="(?:(?=a{19000})){900}.*"><input name=any pattern="[^]*"><input name=words pattern="(\\w+\\s?)*">
  <input name=class pattern="[\\p{L}\\p{N}]{0,9000}[\\p{L}]"><input name=behind pattern=".*(?<=a.*)b">
  <input name=search type=search><input name=tel type=tel><input name=url type=url><input name=email type=email>
  <input name=to type=email multiple pattern="[a-z.@]+"><input name=cc type=email multiple>
  <input name=number type=number><input name=range type=range><input name=date type=date><input name=month type=month>
  <input name=week type=week><input name=time type=time><input name=local type=datetime-local><input name=color type=color>
  <input name=check type=checkbox>${['a', 'b', 'c'].map((v) => `<input name=group type=checkbox value=${v}>`).join('')}
  ${['a', 'b', 'c'].map((v) => `<input name=radio type=radio value=${v}>`).join('')}
  <select name=select>${options(500)}</select><select name=multiple multiple>${options(3000)}</select>
  <select name=open multiple></select><input name=file type=file><input name=files type=file multiple>
  ${'<input name=row>'.repeat(50)}
  ${custom('free', {})}${custom('list', { type: 'array', items: { enum: values } })}
  ${custom('matrix', nested(50))}${custom('unique', { type: 'array', uniqueItems: true })}
  ${custom('enum', { enum: values })}${custom('anyOf', { items: { anyOf: values.map((each) => ({ enum: [each] })) } })}
  ${custom('deep', { $ref: '#' })}${custom('text', { type: 'string', pattern: '^(a+)+$', maxLength: 9e6 })}
  ${custom('record', { additionalProperties: { type: 'string', maxLength: 5 } })}
  <button name=do value=save>Save</button><button name=do value=send>Send</button>`;

const attributes = 'method=post action=/sent toolautosubmit';
export const html = `<!doctype html><title>x</title>
  <form toolname=all tooldescription=t ${attributes} enctype=multipart/form-data>${controls}</form>
  <form toolname=get tooldescription=t method=get action=/sent toolautosubmit><textarea name=area></textarea></form>
  <form toolname=urlencoded tooldescription=t ${attributes}><textarea name=area></textarea></form>
  <form toolname=plain tooldescription=t ${attributes} enctype=text/plain><textarea name=area></textarea></form>
  <form toolname=token tooldescription=t ${attributes}><input type=hidden name=csrf value=x><textarea name=area></textarea></form>
  <form toolname=wide tooldescription=t ${attributes}>${Array.from({ length: 2000 }, (_, i) => `<input name=w${i} pattern="(\\w+\\s?)*\\d">`).join('')}</form>
  <form toolname=big tooldescription=t ${attributes}><input name=kind></form>`;

export const mega = 1e6;
const fill = (text, length = 7.5 * mega) => text.repeat(Math.floor(length / text.length));
const count = (length, make) => Array.from({ length }, (_, index) => make(index));
const record = (length, make) => Object.fromEntries(count(length, make));
const all = (request) => ({ action: 'all', request });
const nest = (levels) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

export const bodies = {
  'one address list of 1.9 million addresses': () => all({ to: fill('a@b,') }),
  'a list of 99,000 addresses': () => all({ to: count(99_000, () => 'a@b') }),
  'a list of long addresses': () => all({ cc: count(1000, () => `${'a'.repeat(900)}@${'b'.repeat(60)}`) }),
  'commas as addresses': () => all({ cc: fill(',') }),
  'spaces as addresses': () => all({ cc: fill(' ') }),
  'an address of 7.5 MB': () => all({ email: fill('a') }),
  ...Object.fromEntries(
    ['date', 'month', 'week', 'time', 'local', 'number', 'range', 'color', 'check', 'radio', 'select', 'short'].map(
      (name) => [`7.5 MB of digits for ${name}`, () => all({ [name]: fill('1') })],
    ),
  ),
  'hyphens for a date': () => all({ date: fill('-') }),
  'digits and dots for a number': () => all({ number: fill('1.') }),
  'an exponent of 7.5 MB': () => all({ number: `1e${fill('9')}` }),
  'huge JSON numbers': () => `{"action":"all","request":{"number":${fill('9')}}}`,
  'a list of huge JSON numbers': () => `{"action":"all","request":{"free":[${fill('1e308,', 500_000)}1]}}`,
  ...Object.fromEntries(
    [
      'text',
      'area',
      'search',
      'tel',
      'url',
      'any',
      'words',
      'pattern',
      'evil',
      'ahead',
      'many',
      'huge',
      'class',
      'behind',
    ].map((name) => [`7.5 MB of letters for ${name}`, () => all({ [name]: fill('a') })]),
  ),
  '100 kB for each pattern': () =>
    all(
      record(9, (i) => [
        ['any', 'words', 'pattern', 'evil', 'ahead', 'many', 'huge', 'class', 'behind'][i],
        'a'.repeat(100_000),
      ]),
    ),
  'line breaks for a textarea': () => all({ area: fill('\n', 3.5 * mega) }),
  'line breaks for a text': () => all({ text: fill('\n', 3.5 * mega) }),
  'characters beyond the BMP for a textarea': () => all({ area: fill('😀', 3.6 * mega) }),
  'escaped characters for a textarea': () => `{"action":"urlencoded","request":{"area":"${fill('\\u0001')}"}}`,
  'lone surrogates for a pattern': () => all({ any: fill('\ud800', mega) }),
  'a URL with a host of 2 million distinct letters': () =>
    all({
      url: `http://${count(20_000, (i) => String.fromCharCode(0x4e00 + i))
        .join('')
        .repeat(100)}`,
    }),
  'a URL of 60,000 letters beyond ASCII': () =>
    all({ url: `http://${count(20_000, (i) => String.fromCharCode(0x4e00 + i)).join('')}` }),
  'a URL of 7.5 MB of dots': () => all({ url: `http://a/${fill('../')}` }),
  'a URL with 7.5 MB of credentials': () => all({ url: `http://${fill('@')}` }),
  'a textarea sent by GET': () => ({ action: 'get', request: { area: fill('ä', 3.7 * mega) } }),
  'a textarea sent urlencoded': () => ({ action: 'urlencoded', request: { area: fill('ä', 3.7 * mega) } }),
  'a textarea sent as text': () => ({ action: 'plain', request: { area: fill('\r', 3.7 * mega) } }),
  'a textarea for a form with a token': () => ({ action: 'token', request: { area: fill('%', 7 * mega) } }),
  'a list of 99,000 options': () => all({ multiple: count(99_000, (i) => `o${i}`) }),
  'all 3,000 options': () => all({ multiple: count(3000, (i) => `o${i}`) }),
  'an option 99,000 times': () => all({ multiple: count(99_000, () => 'o1') }),
  'options of 7.5 MB': () => all({ multiple: count(70, (i) => i + fill('o', 100_000)) }),
  '99,000 values of an open select': () => all({ open: count(99_000, (i) => `o${i}`) }),
  '99,000 values of a checkbox group': () => all({ group: count(99_000, (i) => `${i}`) }),
  '99,000 rows': () => all({ row: count(99_000, (i) => `${i}`) }),
  'a file of 7.5 MB': () => all({ file: { name: 'a', mediaType: 'a/b', content: fill('AAAA') } }),
  'a file with invalid base64 at its end': () =>
    all({ file: { name: 'a', mediaType: '', content: `${fill('AAAA')}===!` } }),
  'a file of equals signs': () => all({ file: { name: 'a', mediaType: '', content: fill('====') } }),
  'a file with a name of 7.5 MB': () => all({ file: { name: fill('"\r\n', 3.5 * mega), mediaType: '', content: '' } }),
  'a file with a media type of 7.5 MB': () => all({ file: { name: 'a', mediaType: fill('a/b;'), content: '' } }),
  '24,000 files': () => all({ files: count(24_000, (i) => ({ name: `${i}`, mediaType: '', content: 'AAAA' })) }),
  '99,000 items that are not files': () => all({ files: count(99_000, () => 1) }),
  '99,000 items of a custom element': () => all({ free: count(99_000, (i) => i) }),
  '99,000 texts of a custom element': () => all({ free: count(99_000, () => 'a'.repeat(60)) }),
  '30,000 items for an enum of 1,000': () => all({ list: count(30_000, (i) => ({ [`v${i % 1000}`]: 0 })) }),
  'a huge value for an enum of 1,000': () => all({ enum: fill('a') }),
  'a wide value for an enum of 1,000': () => all({ enum: count(99_000, (i) => i) }),
  '30,000 items for an anyOf of 1,000': () => all({ anyOf: count(30_000, () => 1) }),
  'a matrix for a nested schema': () => all({ matrix: nest(50) }),
  '30,000 unique items': () => all({ unique: count(30_000, (i) => ({ b: i, a: [i] })) }),
  '30,000 members of a custom element': () => all({ record: record(30_000, (i) => [`k${i}`, 'a']) }),
  'a text for a custom pattern': () => all({ text: fill('a') }),
  '99,000 unknown names': () => all(record(99_000, (i) => [`u${i}`, 1])),
  '70 unknown names of 100 kB': () => all(record(70, (i) => [`${i}${fill('n', 100_000)}`, 1])),
  'an unknown name of 7.5 MB': () => all({ [fill('n')]: 1 }),
  'an action of 7.5 MB': () => ({ action: fill('a'), request: {} }),
  'a version of 7.5 MB': () => ({ action: 'all', version: fill('1.'), request: {} }),
  'a session of 7.5 MB': () => ({ action: 'all', sessionId: fill('a'), request: {} }),
  'a config of 7.5 MB': () => ({ action: 'all', config: { authorization: fill('a') }, request: {} }),
  'a config of 99,000 members': () => ({ action: 'all', config: record(99_000, (i) => [`c${i}`, 1]), request: {} }),
  'unknown members of the call': () => ({ ...record(99_000, (i) => [`c${i}`, 1]), action: 'all', request: {} }),
  'names of the prototype': () =>
    '{"action":"all","request":{"__proto__":{"a":1},"constructor":1,"toString":2,"hasOwnProperty":3}}',
  'an action of the prototype': () => ({ action: '__proto__', request: {} }),
  'arrays, 3 million levels deep': () => '['.repeat(3 * mega),
  'objects, 1 million levels deep': () => '{"a":'.repeat(mega),
  'arrays, 60 levels deep, 1,500 times': () => all({ free: count(1500, () => nest(60)) }),
  backslashes: () => `{"action":"${fill('\\\\')}`,
  'quotation marks': () => `{"action":"${fill('\\"')}`,
  'white space': () => fill(' \n'),
  'invalid JSON at the end': () => `{"action":"all","request":{"text":"${fill('a')}"}}x`,
  'invalid JSON of many values': () => `{"action":"all","request":[${fill('1,', 190_000)}`,
  'a repeated key at the end': () => `{"action":"all","request":{"text":"${fill('a')}","text":1}}`,
  '90,000 repeated keys': () => `{"action":"all","request":{${fill('"a":1,', 540_000)}"b":1}}`,
  'null for everything': () =>
    all(record(9, (i) => [['text', 'date', 'files', 'free', 'list', 'to', 'row', 'radio', 'url'][i], null])),
  'a wide form, its patterns with 3 kB each': () => ({
    action: 'wide',
    request: record(2000, (i) => [`w${i}`, 'a'.repeat(3000)]),
  }),
  'a wide form with 3,000 bytes of white space each': () => ({
    action: 'wide',
    request: record(2000, (i) => [`w${i}`, ' '.repeat(3000)]),
  }),
  'a wide form without values': () => ({ action: 'wide', request: {} }),
};

const rpc = (name, args, id = 1) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
export const batches = {
  'MCP: one address list of 1.9 million addresses': () => rpc('all', { to: fill('a@b,') }),
  'MCP: 99,000 unknown names': () =>
    rpc(
      'all',
      record(99_000, (i) => [`u${i}`, 1]),
    ),
  'MCP: a textarea of 7 MB': () => rpc('urlencoded', { area: fill('a', 7 * mega) }),
  'MCP: an unknown tool of 7.5 MB': () => rpc(fill('a'), {}),
  'MCP: an id of 7.5 MB': () => rpc('all', {}, fill('a')),
  'MCP: a method of 7.5 MB': () => ({ jsonrpc: '2.0', id: 1, method: fill('a') }),
  'MCP: a batch of 100 calls with a pattern': () => count(100, (i) => rpc('all', { ahead: 'a'.repeat(70_000) }, i)),
  'MCP: a batch of 100 calls with each pattern': () =>
    count(100, (i) =>
      rpc(
        'all',
        record(5, (at) => [['evil', 'ahead', 'many', 'huge', 'behind'][at], 'a'.repeat(10_000)]),
        i,
      ),
    ),
  'MCP: a batch of 100 calls of a wide form': () => count(100, (i) => rpc('wide', {}, i)),
  'MCP: a batch of 100 calls with 900 unknown names': () =>
    count(100, (i) =>
      rpc(
        'all',
        record(900, (at) => [`u${at}`, 1]),
        i,
      ),
    ),
  'MCP: a batch of 100 calls with an address list': () =>
    count(100, (i) => rpc('all', { to: fill('a@b,', 70_000) }, i)),
  'MCP: a batch of 100 calls for dates': () =>
    count(100, (i) => rpc('all', { date: fill('1', 70_000), url: fill('http://', 9000) }, i)),
  'MCP: a batch of 99,000 messages': () => count(99_000, () => 1),
  'MCP: a message with 7.5 MB of meta data': () => ({
    ...rpc('all', {}),
    params: { name: 'all', arguments: {}, _meta: { a: fill('a') } },
  }),
};

const word = 'lorem ipsum dolor sit amet ';
const paragraph = `<p>${word.repeat(20)}</p>`;
/** Pages and answers of 5 MB, which the gateway reads. Only the time on the main thread is limited here. */
export const answers = {
  paragraphs: ['text/html', fill(paragraph, 4.9 * mega)],
  'open elements': ['text/html', fill('<b>', 4.9 * mega)],
  tables: ['text/html', fill('<table><tr><td>', 4.9 * mega)],
  text: ['text/plain', fill(word, 4.9 * mega)],
  entities: ['text/html', fill('&amp;amp;', 4.9 * mega)],
  percents: ['text/plain', fill('%25', 4.9 * mega)],
  numbers: ['application/json', `[${fill('1,', 4.8 * mega)}1]`],
  strings: ['application/json', `[${fill('"a",', 4.8 * mega)}1]`],
  objects: ['application/json', `[${fill('{"a":{}},', 4.8 * mega)}1]`],
  'JSON text': ['application/json', JSON.stringify(fill(word, 4.8 * mega))],
  'JSON-LD': ['text/html', `<script type=application/ld+json>[${fill('1,', 4.8 * mega)}1]</script>`],
};
