import assert from 'node:assert/strict';
import { it } from 'vitest';
import { compileHtml, createManifest, parseManifest } from '../../../src/build.js';

const page = `<form toolname=t tooldescription=d>
  <h3>You</h3><p>Name <input name=text></p><div><label>Town</label><input name=label></div>
  <label for=name>Street</label><p><p><p><input name=name></p>
  <h3>Size</h3><p><input name=heading></p>
  <h3>More</h3><table><tr><th>Color<th>Form<tr><td><input name=column><td><input name=column2></table>
  <table><tr><td>Weight<td><input name=cell></table>
  <dl><dt>Price<dd><input name=term></dl>
  <p><select name=option><option value="">Choose a country<option>Peru</select></p>
  <p><input name=value value="Enter your age"></p>
  <button>Send</button></form>
  <form toolname=s tooldescription=d><input name=q><button>Search the shop</button></form>
  <form toolname=p tooldescription=d><input name=q><input type=image src=go.png></form>`;

it('a manifest is parsed as it was written, wherever its labels come from', () => {
  const compiled = compileHtml(page, { path: '/', profile: 'precise' });
  const origins = compiled.tools.flatMap(({ form }) =>
    (form?.controls ?? []).flatMap(({ words = [] }) => words.flatMap(({ origin = [] }) => origin)),
  );
  assert.deepEqual([...new Set(origins)].sort(), [
    ...['button', 'cell', 'column', 'heading', 'label', 'name', 'option', 'search', 'term', 'text', 'value'],
  ]);
  const options = { name: 'n', description: '', version: '1', profile: 'precise' } as const;
  const manifest = createManifest([compiled], options);
  assert.deepEqual(parseManifest(JSON.stringify(manifest), 'm.json'), manifest);
});
