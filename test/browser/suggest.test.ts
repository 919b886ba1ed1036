import { expect } from '@open-wc/testing';
import { domTree } from '../../src/browser/dom/dom-tree.js';
import { readForms, type Tree } from '../../src/compiler/index.js';
import { suggestAnnotations } from '../../src/suggest/index.js';
import { parsePage } from '../../src/parse5/parse5-tree.js';
import { corpus, inGroups, withPage } from '../support/browser/pages.js';

/** The suggestions for the forms of a page as text, with the names of the elements in them. */
function suggestionsOf<Node, Element extends Node>(tree: Tree<Node, Element>, document: Node): string {
  const takenNames = new Set<string>();
  const suggestions = readForms(tree, document).map(({ form, scope }) => {
    const suggestion = suggestAnnotations(tree, form, { takenNames, scope });
    if (suggestion === null) return null;
    takenNames.add(suggestion.toolName.value);
    const { form: element, parameters, ...texts } = suggestion;
    return {
      ...texts,
      form: tree.attribute(element, 'class'),
      parameters: parameters.map(({ control, ...parameter }) => ({ ...parameter, control: tree.localName(control) })),
    };
  });
  return JSON.stringify(suggestions, null, 2);
}

const withoutAnnotations = (html: string): string =>
  html.replace(/ tool(?:name|description|title|autosubmit)(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?/g, '');

const search = '<form role="search"><input name="q"><button>Search</button></form>';

describe('suggestAnnotations', () => {
  it('suggests the same in a live page as in its HTML, for every case and published page', async () => {
    const { cases, published } = await corpus();
    const pages = [...cases, ...published.filter((_, index) => index % 4 === 0)];
    await inGroups(pages, 20, async ({ name, page }) => {
      const html = withoutAnnotations(page);
      const { document, tree } = parsePage(html);
      const expected = suggestionsOf(tree, document);
      const actual = await withPage(html, (window) => suggestionsOf<Node, Element>(domTree, window.document));
      expect(actual, name).to.equal(expected);
    });
  });

  it('suggests the same for forms in shadow trees, and beside controls that clobber the form', async () => {
    const clobbering = [
      'attributes',
      'parentNode',
      'children',
      'getAttribute',
      'constructor',
      '__proto__',
      'id',
      'name',
    ]
      .map((name) => `<input name="${name}">`)
      .join('');
    const html = `<!doctype html><html lang="en"><body><h1>Orders</h1>
      <form id="clobbered" method="post">${clobbering}<button>Create order</button></form>
      <div><template shadowrootmode="open"><header>${search}</header></template></div>`;
    const { document, tree } = parsePage(html);
    const expected = suggestionsOf(tree, document);
    expect(expected).to.contain('create_order').and.to.contain('search_site');
    const actual = await withPage(html, (window) => suggestionsOf<Node, Element>(domTree, window.document));
    expect(actual).to.equal(expected);
  });
});
