import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { compileHtml } from '../../src/build.js';
import { lint } from '../../src/build.js';
import { annotateText, assertOnlyAttributes } from '../support/annotate/annotating.js';

const controls = '<label>Name <input name="a"></label><button>Add name</button></form>';
const values = (description: string) => ({ name: 'add_name', description, autosubmit: false, parameters: [] });

/** The source of the start tag after a description was written into it. */
function startTag(file: string, start: string, description: string): string {
  const before = file.endsWith('.vue') ? '<template>' : file.endsWith('x') ? 'const a = ' : '';
  const after = file.endsWith('.vue') ? '</template>' : '';
  const form = file.endsWith('x') ? controls.replace('"a"', '"a" /') : controls;
  const source = `${before}${start}${form}${after}`;
  const { text, unsafe } = annotateText(file, source, { values: { [before.length]: values(description) } });
  assert.deepEqual(unsafe, []);
  assertOnlyAttributes(source, text);
  return text.slice(before.length, text.length - form.length - after.length);
}

describe('annotatePage, in start tags', () => {
  const annotated = 'toolname="add_name" tooldescription="Adds a name."';
  const tags: readonly (readonly [title: string, start: string, expected: string])[] = [
    ['without attributes', '<form>', `<form ${annotated}>`],
    ['in capitals', '<FORM METHOD=POST>', `<FORM ${annotated} METHOD=POST>`],
    ['with white space before its end', '<form >', `<form ${annotated} >`],
    ['with double quotes', '<form method="post">', `<form ${annotated} method="post">`],
    ['with single quotes', "<form method='post'>", `<form ${annotated.replaceAll('"', "'")} method='post'>`],
    [
      'with a line for each attribute',
      '<form\n    method="post"\n    id="a"\n>',
      `<form\n    toolname="add_name"\n    tooldescription="Adds a name."\n    method="post"\n    id="a"\n>`,
    ],
    [
      'with CRLF and tabs',
      '<form\r\n\tmethod="post">',
      `<form\r\n\ttoolname="add_name"\r\n\ttooldescription="Adds a name."\r\n\tmethod="post">`,
    ],
    [
      'with its first attribute on the same line',
      '<form method="post"\n      id="a">',
      `<form ${annotated} method="post"\n      id="a">`,
    ],
    ['with a slash', '<form/method=post>', `<form ${annotated}/method=post>`],
    [
      'with a greater-than sign in a value',
      '<form data-a="b > c" method="post">',
      `<form ${annotated} data-a="b > c" method="post">`,
    ],
  ];
  for (const [title, start, expected] of tags) {
    it(`writes attributes in the style of a start tag ${title}`, () => {
      assert.equal(startTag('a.html', start, 'Adds a name.'), expected);
    });
  }

  const texts: readonly (readonly [file: string, start: string, description: string, expected: string])[] = [
    ['a.html', '<form>', 'Adds "a" & <b>.', 'Adds &quot;a&quot; &amp; &lt;b&gt;.'],
    ['a.html', "<form id='a'>", `Adds "a" & b's.`, 'Adds "a" &amp; b&#39;s.'],
    ['a.html', '<form>', 'Adds {{ a }} and {% b %}.', 'Adds &#123;&#123; a &#125;&#125; and &#123;% b %&#125;.'],
    ['a.php', '<form>', 'Adds <?php ?>.', 'Adds &lt;?php ?&gt;.'],
    ['a.blade.php', '<form>', 'Adds a@if.', 'Adds a&#64;if.'],
    ['a.svelte', '<form>', 'Adds {a}.', 'Adds &#123;a&#125;.'],
    ['a.jsx', '<form>', 'Adds {a} > "b".', 'Adds &#123;a&#125; &gt; &quot;b&quot;.'],
    ['a.html', '<form>', 'Fügt 😀 hinzu.', 'F&#252;gt &#128512; hinzu.'],
    ['a.html', '<form title="ü">', 'Fügt 😀 hinzu.', 'Fügt 😀 hinzu.'],
  ];
  for (const [file, start, description, expected] of texts) {
    it(`escapes ${JSON.stringify(description)} in ${start} of ${file}`, () => {
      const tag = startTag(file, start, description);
      assert.equal(/ tooldescription=(["'])(.*?)\1/s.exec(tag)?.[2], expected);
    });
  }

  it('writes annotations that compile and lint read without findings, also for controls', () => {
    const source =
      '<html lang="en"><h1>Orders</h1><form action="/order" method="post"><h2>Order a pizza</h2><input name="size"><textarea name="note" placeholder="Note"></textarea><button>Order pizza</button></form>';
    const { text, forms } = annotateText('a.html', source);
    assertOnlyAttributes(source, text);
    assert.match(text, /<input toolparamdescription="[^"]+" name="size">/);
    assert.deepEqual(
      lint(text, { path: 'a.html' }).filter(({ severity }) => severity !== 'info'),
      [],
    );
    assert.deepEqual(
      compileHtml(text, { path: 'a.html' }).tools.map(({ name, description }) => [name, description]),
      forms.map(({ name, description }) => [name, description]),
    );
  });

  it('does not annotate a form that has one of the annotations, or that a <webmcp-tool> describes', () => {
    const pages = [
      `<form toolname="add_name">${controls}`,
      `<form data-tooldescription="Adds a name.">${controls}`,
      `<webmcp-tool for="f" name="add_name" description="Adds a name."></webmcp-tool><form id="f">${controls}`,
    ];
    for (const page of pages) {
      const { text, unsafe } = annotateText('a.html', page);
      assert.deepEqual([text, unsafe], [page, []]);
    }
  });

  it('does not read forms in comments, scripts, styles, text and values', () => {
    const page = `<!-- <form><button>Go</button></form> --><script>"<form><button>Go</button></form>"</script><textarea><form></textarea><p title="<form>">`;
    const { text, unsafe } = annotateText('a.html', page);
    assert.deepEqual([text, unsafe], [page, []]);
  });
});
