import { expect } from '@open-wc/testing';
import DOMPurify from 'dompurify';
import { live, names, place, tool, tools, whereNotNative } from '../support/browser/live.js';
import { documented, hostile, tipPage } from '../support/visitors.js';

whereNotNative('the markup of a visitor in a page', () => {
  it('removes the tool of the site after DOMPurify with its defaults, and adds no tool', async () => {
    place(tipPage(DOMPurify.sanitize(hostile.replace(/<img[^>]*>/, ''))));
    live();
    expect(await names()).to.deep.equal([]);
  });

  it('changes no tool after DOMPurify, configured as documented', async () => {
    const docs = await (await fetch('/docs/concepts/visitors.md')).text();
    const clean = documented(docs, 'DOMPurify', 'DOMPurify', DOMPurify)(hostile);
    place(tipPage(clean));
    live({ profile: 'precise' });
    expect((await tools()).map(({ name, description }) => [name, description])).to.deep.equal([
      ['tip', 'Tips the author.'],
    ]);
    expect((await tool('tip')).inputSchema).to.deep.nested.include({
      properties: { sum: { type: 'string', pattern: '^[^\\n\\r]*$', description: 'Sum. In euros' } },
    });
    expect(clean).to.include('<p><b>Good</b> <a href="/book">book</a></p>');
    expect(clean).not.to.match(/<[^>]*\s(?:id|name|for|form|role|class|data-|aria-)/);
  });
});
