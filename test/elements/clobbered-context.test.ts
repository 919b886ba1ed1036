import { expect } from '@open-wc/testing';
import '../../elements/webmcp-inspector.js';
import '../../elements/webmcp-tool.js';
import { afterTest, waitUntil } from '../support/browser/live.js';

/** Adds an element until the end of the test. */
function place<Type extends Element>(element: Type): Type {
  document.body.prepend(element);
  afterTest(() => element.remove());
  return element;
}

describe('a page with an image named modelContext', () => {
  it('has the tools of its elements, and the inspector lists them', async () => {
    const image = place(Object.assign(document.createElement('img'), { name: 'modelContext' }));
    expect(document.modelContext === (image as unknown)).to.equal(true);
    place(Object.assign(document.createElement('webmcp-tool'), { name: 'known', description: 'Is known.' }));
    const inspector = place(document.createElement('webmcp-inspector'));
    await waitUntil(() => inspector.shadowRoot?.textContent?.includes('known'), 'the tool is listed');
  });
});
