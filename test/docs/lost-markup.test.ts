import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { lostMarkup } from '../../docs/.vitepress/playground/worker/lost-markup.js';
import { parsePage } from '../../src/parse5/parse5-tree.js';

/** The lines and messages of the findings. */
const found = (html: string): readonly string[] =>
  lostMarkup(html, parsePage(html)).map(({ message, place }) => `${place?.line}: ${message}`);

describe('lostMarkup', () => {
  it('finds nothing in valid pages, and in tags that belong to no form', () => {
    for (const html of [
      '<form><input name=a data-x="<input name=b>"><select name=s><option>a</select><button>Go</button></form><input>',
      '<table><form><tr><td><input name=a></td></tr></form></table>',
      '<form id=f></form><form><input name=a form=f><template><form><input name=t></form></template></form>',
      '<form><div><template shadowrootmode=open><input name=s></template></div></form>',
      '<script>const html = "<form><form><input>";</script><!-- <form><form> --><textarea><form></textarea>',
      '</form><input>',
      '<p>No form',
    ])
      assert.deepEqual(found(html), [], html);
  });

  it('finds a form in a form, and the controls that its end tag takes out of the outer form', () => {
    const html = '<form>\n<input name=a>\n<form><input name=b></form>\n<input name=c><button>Go</button>\n</form>';
    const [nested, lost, ...others] = found(html);
    assert.match(nested ?? '', /^3: The form is inside another form\./);
    assert.equal(lost, '4: 1 control and 1 button of the source are in no form: a <form> inside a <form> at line 3.');
    assert.deepEqual(others, []);
  });

  it('finds an attribute that contains tags, because a quotation mark is missing', () => {
    assert.deepEqual(found('<form>\n<input name="a>\n<input name="b"><input name="c">\n</form>'), [
      '2: An attribute of <input> contains 1 tag of forms or controls, because a quotation mark is missing. Add it.',
    ]);
  });

  it('finds a comment, a tag and a text area that are not closed', () => {
    const start = '<form><input name=a>\n';
    for (const [html, what, count] of [
      [`${start}<!-- <input name=b><button>Go</button></form>`, 'a comment', '2 tags'],
      [`${start}<button type="submit>Go</button></form>`, 'a tag', '1 tag'],
      [`${start}<textarea name=t><button>Go</button></form>`, 'an element that contains only text', '1 tag'],
    ] as const)
      assert.match(found(html).join(), new RegExp(`inside ${what} .* so ${count} of forms or controls`), html);
  });

  it('reads long hostile markup', { tags: 'long' }, () => {
    for (const html of [
      '<form>',
      '<input name="a>',
      '<input "<input>',
      '<!-- <form',
      '<select><form>',
      '</form><form><input>',
    ])
      lostMarkup(html.repeat(10_000), parsePage(html.repeat(10_000)));
  });
});
