import { domTree } from '../../../src/browser/dom/dom-tree.js';
import { descriptionsOf } from '../../support/readings.js';

/** Frames whose pages are parsed as by a navigation, which declarative shadow roots and scripts need. */
const framesAtOnce = 12;

let shared: Window | undefined;

/** The descriptions of the forms of pages, as JSON. */
export async function describe(pages: readonly string[]): Promise<readonly (string | null)[]> {
  const results: (string | null)[] = [];
  const framed: number[] = [];
  for (const [index, page] of pages.entries()) {
    if (/<script|shadowrootmode/i.test(page)) framed.push(index);
    else results[index] = read(written(page));
  }
  const work = async (): Promise<void> => {
    for (let index = framed.shift(); index !== undefined; index = framed.shift()) {
      const frame = await open(pages[index] as string);
      results[index] = read((frame.contentWindow as Window).document);
      frame.remove();
    }
  };
  await Promise.all(Array.from({ length: framesAtOnce }, work));
  return results;
}

/** Null for pages with elements in a select, whose tags parse5 8 drops. */
const read = (root: Document): string | null =>
  root.querySelector('select :not(option, optgroup, hr)') ? null : JSON.stringify(descriptionsOf(domTree, root));

function written(page: string): Document {
  shared ??= withCustomElement(addFrame().contentWindow as Window & typeof globalThis);
  const { document } = shared;
  document.open();
  document.write(page);
  document.close();
  return document;
}

/** Without a definition, a browser does not know that an element is a control. The source can only assume it. */
function withCustomElement(window: Window & typeof globalThis): Window {
  const define = class extends window.HTMLElement {
    static formAssociated = true;
  };
  window.customElements.define('x-a', define);
  return window;
}

function addFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.body.append(frame);
  return frame;
}

const open = (page: string): Promise<HTMLIFrameElement> =>
  new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.addEventListener('load', () => resolve(frame), { once: true });
    frame.srcdoc = page;
    document.body.append(frame);
  });
