import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { lint, type Finding } from '../../src/build.js';
import { compileHtml } from '../../src/site/compile-html.js';

const findingsOf = (html: string): readonly Finding[] =>
  lint(html, { path: 'p', rules: { 'form-without-tool': 'info', 'unused-disable': 'warning' } });
const search =
  '<form action="/search"><label>Title <input name=q type=search></label><button>Search books</button></form>';
const problem = 'The form has no annotations, so it is not a tool.';

describe('form-without-tool', () => {
  it('is off by default, so that sites may annotate only some of their forms', () => {
    assert.deepEqual(lint(search, { path: 'p' }), []);
  });

  it('suggests a name and a description, and attributes that make the form this tool', () => {
    const [finding, ...others] = findingsOf(search);
    assert.ok(finding?.suggestion);
    const { toolName, toolDescription, confidence, sensitive } = finding.suggestion;
    assert.deepEqual([toolName, confidence, sensitive, others.length], ['search_books', 'high', undefined, 0]);
    assert.equal(finding.message, `${problem} Add toolname="search_books" and tooldescription="${toolDescription}".`);
  });

  it('escapes the strings of the page, so that the attributes can be copied', () => {
    const [finding] = findingsOf('<form><input name=x><button>Send "a" &amp;quot; b</button></form>');
    const [, name = '', description = ''] =
      /(toolname="[^"]*") (?:and )?(tooldescription="[^"]*")\.$/.exec(finding?.message ?? '') ?? [];
    const [tool] = compileHtml(`<form ${name} ${description}><input name=x><button>Go</button></form>`, {
      path: 'p',
    }).tools;
    assert.equal(tool?.description, finding?.suggestion?.toolDescription);
    assert.match(tool?.description ?? '', /".*&quot; b/);
  });

  it('reports that the page has too little information, or that a person should submit the form', () => {
    const [unclear, login] = findingsOf(
      '<form method=post><input name=a1><button>Go</button></form>' +
        '<form method=post action=/login><input name=user aria-label=User><input name=p type=password aria-label=Password><button>Log in</button></form>',
    );
    assert.equal(unclear?.suggestion?.confidence, 'low');
    assert.match(unclear.message, /The page barely describes it\. Rewrite this suggestion: toolname="/);
    assert.equal(login?.suggestion?.sensitive, 'login');
    assert.match(
      login.message,
      /It is a login, which a person should submit\. If agents may fill it in, add toolname="/,
    );
  });

  it('suggests nothing for a form without a button and without a field that is known', () => {
    const [finding] = findingsOf('<form><input type=hidden name=a></form>');
    assert.deepEqual(
      [finding?.message, finding?.suggestion],
      [`${problem} Add toolname and tooldescription.`, undefined],
    );
  });

  it('suggests names that no other form of the page has', () => {
    const annotated = search.replace('<form', '<form toolname="search_books" tooldescription="Finds books by title."');
    const names = findingsOf(annotated + search + search).flatMap(({ suggestion }) => suggestion?.toolName ?? []);
    assert.equal(new Set([...names, 'search_books']).size, 3, names.join());
  });

  it('finds forms in declarative shadow trees, but no dialogs, forms of <webmcp-tool> or forms that a comment excludes', () => {
    const shadow = `<div><template shadowrootmode=open>${search}</template></div>`;
    assert.deepEqual(
      findingsOf(shadow).map(({ suggestion }) => suggestion?.toolName),
      ['search_books'],
    );
    const others =
      '<form method=dialog><button>Close</button></form>' +
      '<form id=f><input name=q aria-label=Word><button>Go</button></form><webmcp-tool for=f name=find description="Finds words."></webmcp-tool>' +
      `\n<!-- webmcp-forms-disable-next-line form-without-tool -- for people -->\n${search}`;
    assert.deepEqual(
      findingsOf(others).filter(({ code }) => code === 'form-without-tool' || code === 'unused-disable'),
      [],
    );
  });
});
