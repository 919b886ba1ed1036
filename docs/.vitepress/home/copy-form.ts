import { domTree } from '../../../src/index.js';

const elements: ReadonlySet<string> = new Set(
  'button datalist div em fieldset input label legend optgroup option p select small span strong textarea'.split(' '),
);

const withoutContent: ReadonlySet<string> = new Set(['script', 'style', 'template']);

/** No attribute runs a script, loads a resource, leaves the page, or changes more than the form. */
const attributes: ReadonlySet<string> = new Set(
  (
    'accept autocomplete checked data-toolname data-tooldescription data-toolautosubmit disabled for id label list max ' +
    'maxlength min minlength multiple name novalidate pattern placeholder readonly required selected size step title ' +
    'toolautosubmit tooldescription toolname toolparamdescription tooltitle type value'
  ).split(' '),
);

/**
 * Creates a form as written in HTML, with the elements and attributes of the lists above. The HTML is parsed in a document
 * without a window, in which nothing runs and nothing is loaded.
 */
export function copyForm(html: string): HTMLFormElement | null {
  const form = new DOMParser().parseFromString(html, 'text/html').querySelector('form');
  return form && copyInto(document.createElement('form'), form);
}

function copyInto<Copy extends Element>(copy: Copy, element: Element): Copy {
  for (const name of attributes) {
    const value = domTree.attribute(element, name);
    if (value !== null) copy.setAttribute(name, value);
  }
  copy.append(...childCopies(element));
  return copy;
}

/** The content of an element that is not in the list takes its place. */
const childCopies = (parent: Node): readonly Node[] =>
  [...domTree.children(parent)].flatMap((node): readonly Node[] => {
    if (!domTree.isElement(node)) return [document.createTextNode(domTree.text(node) ?? '')];
    const name = domTree.localName(node);
    if (elements.has(name)) return [copyInto(document.createElement(name), node)];
    return withoutContent.has(name) ? [] : childCopies(node);
  });
