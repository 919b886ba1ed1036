import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { compileHtml } from '../../src/build.js';
import { consoleLines, exampleOf, serveCommand } from '../../src/init/first-call.js';

const cases = fileURLToPath(new URL('../fixtures/cases/', import.meta.url));

describe('exampleOf', () => {
  it('returns an input with the required parameters, or one parameter', () => {
    const page = (controls: string) =>
      compileHtml(`<form toolname=a tooldescription="Does a.">${controls}</form>`, { path: 'a.html' });
    const example = (controls: string) => exampleOf(page(controls).tools[0]?.inputSchema ?? {});
    assert.deepEqual(
      example('<input type=date name=day required><input type=number name=n min=3 required><input name=x>'),
      { day: '2030-05-01', n: 3 },
    );
    assert.deepEqual(example('<input type=email name=mail><input name=x>'), { mail: 'ada@example.com' });
    assert.deepEqual(example('<select name=s><option>a<option>b</select>'), { s: 'a' });
    assert.deepEqual(example('<input name=__proto__ required>'), JSON.parse('{"__proto__":"example"}'));
    assert.deepEqual(example(''), {});
  });

  it('returns inputs that are valid for the schemas of most forms of the corpus', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    let [valid, all] = [0, 0];
    for (const file of readdirSync(cases).filter((name) => name.endsWith('.html')))
      for (const { inputSchema } of compileHtml(readFileSync(cases + file, 'utf8'), { path: file }).tools) {
        all++;
        if (ajv.validate(inputSchema, exampleOf(inputSchema))) valid++;
      }
    assert.ok(valid > all * 0.8, `${valid} of ${all} examples are valid`);
  });
});

describe('consoleLines', () => {
  it('writes the name of a tool as a string, whatever the name contains', () => {
    assert.match(
      consoleLines({ name: '"; alert(1)//', isForUser: false }).join('\n'),
      /name === "\\"; alert\(1\)\/\/"/,
    );
  });
});

describe('serveCommand', () => {
  it('allows private addresses only for this computer, and quotes what a shell would read', () => {
    assert.equal(
      serveCommand('http://localhost:3000/book?a=1', 'webmcp.json')[0],
      'npx webmcp-gateway serve --base-url http://localhost:3000/ --allow-private webmcp.json',
    );
    assert.equal(
      serveCommand('https://shop.example/a/b', 'a b.json')[0],
      "npx webmcp-gateway serve --base-url https://shop.example/a/ 'a b.json'",
    );
  });
});
