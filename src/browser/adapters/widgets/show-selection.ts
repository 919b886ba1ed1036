import { optionElements, optionValues, stateOf } from '../../dom/control-state.js';
import { domTree, query } from '../../dom/dom-tree.js';
import { closest } from '../../dom/members.js';
import { pressBeside, pressElement } from '../../dom/user-events.js';
import { reportError } from '../../../platform/tasks.js';
import { hasClass } from './popup.js';

/**
 * Shows the value of a control in the widget of a library that does not listen to the events of the control, or leaves
 * its popup open.
 */
export function showInWidget(control: Element): void {
  const form = domTree.formOwner(control);
  if (form && hasClass(control, 'hasDatepicker')) pressBeside(form); // of jQuery UI, which opens it on focus
  if (domTree.localName(control) !== 'select') return;
  try {
    const tomSelect = Reflect.get(control, 'tomselect') as { readonly sync?: () => void } | undefined;
    tomSelect?.sync?.();
  } catch (error) {
    reportError(error);
  }
  const choices = closest(control, '.choices');
  if (choices) showInChoices(control, choices);
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
