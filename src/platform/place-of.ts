import { getAttribute, hostOf, htmlName, query, rootOf } from './dom.js';

/** The position of an element among those of its name in its document or shadow root, and its ID. */
export function placeOf(element: Element): string {
  const root = rootOf(element);
  const host = hostOf(root);
  const id = getAttribute(element, 'id');
  const name = htmlName(element);
  const position =
    query(root, '*')
      .filter((each) => htmlName(each) === name)
      .indexOf(element) + 1;
  const where = host ? `shadow tree of <${host.localName}>` : 'page';
  return `${name} ${position}${id ? ` (#${id})` : ''} of the ${where}`;
}
