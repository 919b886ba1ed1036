const elements: ReadonlySet<string> = new Set(
  'button datalist div em fieldset form input label legend optgroup option p select small span strong textarea'.split(
    ' ',
  ),
);

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
  return form && (copyOf(form) as HTMLFormElement);
}

function copyOf(element: Element): Element {
  const copy = document.createElement(element.localName);
  for (const { name, value } of element.attributes) if (attributes.has(name)) copy.setAttribute(name, value);
  copy.append(...[...element.childNodes].flatMap(childCopies));
  return copy;
}

/** The content of an element that is not in the list takes its place. */
function childCopies(node: Node): readonly Node[] {
  if (node instanceof Text) return [document.createTextNode(node.data)];
  if (!(node instanceof Element) || /^(?:script|style|template)$/.test(node.localName)) return [];
  return elements.has(node.localName) && node.localName !== 'form'
    ? [copyOf(node)]
    : [...node.childNodes].flatMap(childCopies);
}
