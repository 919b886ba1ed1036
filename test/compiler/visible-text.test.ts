import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { mapTexts, visibleText } from '../../src/visible-text.js';

describe('visibleText', () => {
  for (const [what, text] of [
    ['words of any language', 'tea naïve 茶 чай ชา שלום 한글 \u{20bb7}'],
    ['line breaks and tabs', 'a\tb\r\nc'],
    ['the non-joiner of Persian', 'می‌خواهم'],
    ['the joiners of Indic scripts', 'क्‍ष ශ්‍රී നന്‍'],
    ['the selectors of Mongolian', 'ᠠ᠋'],
    ['emoji with joiners, skin tones and styles', '👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️ 1️⃣ 🇺🇳'],
  ] as const) {
    it(`keeps ${what}`, () => assert.equal(visibleText(text), text));
  }

  for (const [what, text, visible] of [
    ['tag characters', 'a\u{e0001}\u{e0049}\u{e007f}b', 'ab'],
    ['bidirectional controls', '\u202aa\u202eb\u2066c\u2069\u200e\u200f\u061c', 'abc'],
    ['zero-width characters', 'a\u200bb\u2060c\ufeffd\u00ade\u034f', 'abcde'],
    ['joiners between other letters', 'a\u200db\u200cc茶\u200d', 'abc茶'],
    ['runs of joiners', 'می\u200c\u200c\u200dخ', 'می\u200cخ'],
    ['a joiner after an emoji without a second emoji', '👩\u200dx', '👩x'],
    ['runs of variation selectors', '❤\ufe0f\ufe0f\ufe00\ufe0e', '❤\ufe0f'],
    ['variation selectors after letters', 'a\ufe0fb\ufe01\u{e0100}\u{e01ef}葛\u{e0100}', 'ab葛'],
    ['invisible fillers and operators', 'a\u3164\u115f\uffa0\u2061\u2063\u206a\ufff9b', 'ab'],
    ['control characters', '\u0000a\u001b[31mb\u007f\u0085c', 'a[31mbc'],
    ['lone surrogates', 'a\ud800b\udc00', 'ab'],
  ] as const) {
    it(`removes ${what}`, () => assert.equal(visibleText(text), visible));
  }

  it('reads a million characters of any kind without recursion or backtracking', () => {
    for (const each of ['\u200d', '\ufe0f', '👩\u200d', 'ی\u200c', '\u{e0041}'])
      assert.ok(visibleText(each.repeat(1_000_000 / each.length)).length <= 1_000_000);
  });
});

describe('mapTexts', () => {
  it('maps only the strings and the names of members, including __proto__', () => {
    const value = JSON.parse('{"__proto__":["a\u200b",1,null,true],"b\u200b":{}}') as unknown;
    assert.equal(JSON.stringify(mapTexts(value, visibleText)), '{"__proto__":["a",1,null,true],"b":{}}');
  });
});
