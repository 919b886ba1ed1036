import { method } from '../../platform/primordials.js';
import { optionElements, optionValues, stateOf } from '../dom/control-state.js';
import { domTree, query } from '../dom/dom-tree.js';
import { reportError } from '../dom/report-error.js';
import { pressElement } from './pointer.js';

const closest = method<Element, [string], Element | null>('Element', 'closest');

/** Shows the selection of a select in the widget of a library that does not listen to the events of its select. */
export function showInWidget(select: Element): void {
  try {
    const tomSelect = Reflect.get(select, 'tomselect') as { readonly sync?: () => void } | undefined;
    tomSelect?.sync?.();
  } catch (error) {
    reportError(error);
  }
  const choices = closest(select, '.choices');
  if (choices) showInChoices(select, choices);
}

function showInChoices(select: Element, choices: Element): void {
  const valuesOf = (elements: readonly Element[]) => elements.map((each) => domTree.attribute(each, 'data-value'));
  const state = stateOf(select);
  const selected = optionElements(select).filter((_, index) => state.kind === 'selected' && state.options[index]);
  const wanted = optionValues(select, selected);
  const items = query(choices, '[data-item]');
  const shown = valuesOf(items);
  for (const [index, item] of items.entries()) {
    const [remove] = query(item, '[data-button]');
    if (remove && !wanted.includes(shown[index] ?? '')) pressElement(remove);
  }
  for (const choice of query(choices, '[data-choice]')) {
    const value = domTree.attribute(choice, 'data-value') ?? '';
    if (wanted.includes(value) && !shown.includes(value)) pressElement(choice);
  }
}
