import { expect } from '@open-wc/testing';
import DOMPurify from 'dompurify';
import '../../elements/webmcp-tool.js';
import { addTool, codes, formsLoaded } from '../support/elements/webmcp-tools.js';
import { live, names, place, tool, tools, whereNotNative } from '../support/browser/live.js';
import { documented, hostile, tipPage } from '../support/visitors.js';

before(formsLoaded);

async function documentedClean(): Promise<(html: string) => string> {
  const docs = await (await fetch('/docs/concepts/visitors.md')).text();
  return documented(docs, 'DOMPurify', 'DOMPurify', DOMPurify);
}

whereNotNative('the markup of a visitor in a page', () => {
  it('removes the tool of the site after DOMPurify with its defaults, and adds no tool', async () => {
    place(tipPage(DOMPurify.sanitize(hostile.replace(/<img[^>]*>/, ''))));
    live();
    expect(await names()).to.deep.equal([]);
  });

  it('changes no tool after DOMPurify, configured as documented', async () => {
    const clean = (await documentedClean())(hostile);
    place(tipPage(clean));
    live({ profile: 'precise' });
    expect((await tools()).map(({ name, description }) => [name, description])).to.deep.equal([
      ['tip', 'Tips the author.'],
    ]);
    expect((await tool('tip')).inputSchema).to.deep.nested.include({
      properties: { sum: { type: 'string', pattern: '^[^\\n\\r]*$', description: 'Sum. In euros' } },
    });
    expect(clean).to.include('<p><b>Good</b> <a href="/book">book</a></p>');
    expect(clean).not.to.match(/<[^>]*\s(?:id|name|for|form|role|class|data-|hx-|aria-)/);
  });

  const theirs = '<form id=f action="/other"><label>Name <input name=n></label><button>Go</button></form>';
  for (const [how, clean] of [
    ['without forms', async (): Promise<string> => (await documentedClean())(theirs)],
    ['with a prefix of IDs', () => DOMPurify.sanitize(theirs, { SANITIZE_NAMED_PROPS: true })],
    ['in excluded content', () => `<div data-webmcp-ignore>${DOMPurify.sanitize(theirs)}</div>`],
  ] as const)
    it(`is not taken for the form that a tool element names, ${how}`, async () => {
      place(await clean());
      const element = await addTool('name=t description=d for=f optional');
      expect([await names(), element.form, codes(element)]).to.deep.equal([[], null, []]);
    });
});
