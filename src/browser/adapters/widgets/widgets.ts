import { collapseWhitespace } from '../../../compiler/html/text.js';
import { optionElements, optionValues, stateOf, typeText } from '../../dom/control-state.js';
import { domTree, elementById, isRendered, query, rootOf, windowOf } from '../../dom/dom-tree.js';
import { focusedElement, restoreFocus } from '../../dom/focus.js';
import { closest, isMultiple, matches, valueOf } from '../../dom/members.js';
import { dispatchChange, enter, isReachable, pressBeside, pressElement } from '../../dom/user-events.js';
import { reportError } from '../../../platform/tasks.js';
import { wait } from '../../../platform/timers.js';
import { comboboxOf, idsOf, isNamed, optionNamed, optionsOf, textOf } from './popup.js';

interface SearchOptions {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** The value of the option that a search has selected, or the labels of the results if no result matches. */
type SearchResult = { readonly value: string } | { readonly results: readonly string[] };

const pollIntervalMs = 50;

async function until<Value>(find: () => Value | undefined, { limitMs, signal }: SearchOptions) {
  for (let waitedMs = 0; !signal.aborted; waitedMs += pollIntervalMs) {
    const found = find();
    if (found !== undefined || waitedMs >= limitMs) return found;
    await wait(pollIntervalMs);
  }
  return undefined;
}

/** The widgets that scripts put in place of selects, or add to text fields. They are operated as by a user. */
export const widgets = {
  /** Whether users search the options of a select in a widget that represents the select. */
  hasSearch: (select: Element): boolean => !isReachable(select) && comboboxOf(select) !== undefined,

  /** Searches in the widget, and selects the option whose value or label is the given text. */
  async search(select: Element, text: string, options: SearchOptions): Promise<SearchResult> {
    const combobox = comboboxOf(select) as Element;
    const focused = focusedElement(select);
    // While Selectize shows an item, it closes its popup if nothing matches yet.
    const { selectize } = select as WidgetControl;
    if (!isMultiple(select)) selectize?.clear(true);
    // Without a `load` function of the page, all options are known.
    const limits = selectize && !selectize.settings.load ? { ...options, limitMs: pollIntervalMs } : options;
    const found = (await findOption(combobox, text, limits)) ?? (await findOption(combobox, text, limits, true));
    const results = optionsOf(combobox).map(textOf);
    if (found?.option) pressElement(found.option);
    const value = found?.option && (await until(() => selectedValue(select, text, found.option), options));
    found?.leave();
    pressBeside(domTree.formOwner(select) ?? combobox);
    await wait(pollIntervalMs); // widgets move the focus in a later task, and close their popup in the task after that
    restoreFocus(select, focused);
    await wait(pollIntervalMs);
    return value === undefined ? { results } : { value };
  },

  /** Whether a text field shows suggestions while the user types. */
  hasSuggestions: (field: Element): boolean =>
    domTree.localName(field) === 'input' &&
    (domTree.attribute(field, 'role') === 'combobox' ||
      /^(?:both|list)$/.test(domTree.attribute(field, 'aria-autocomplete') ?? '') ||
      matches(field, '.ui-autocomplete-input')) &&
    isReachable(field),

  /** Types a value, and selects the suggestion that equals it. Returns whether there is such a suggestion. */
  async type(field: Element, text: string, options: SearchOptions): Promise<boolean> {
    const leave = enter(field);
    let option: Element | undefined;
    if (typeText(field, text)) {
      option = await until(() => optionNamed(optionsOf(field), text), options);
      if (option) pressElement(option);
      if (!options.signal.aborted) dispatchChange(field);
    }
    leave();
    return option !== undefined;
  },

  show: showInWidget,
};

interface FoundOption {
  readonly option: Element | undefined;
  /** Leaves the search field. */
  readonly leave: () => void;
}

/** Opens a popup and searches an option. Returns undefined if the popup closes, for example after an earlier search. */
async function findOption(
  combobox: Element,
  text: string,
  options: SearchOptions,
  isTyped = false,
): Promise<FoundOption | undefined> {
  const isExpanded = (): boolean => matches(combobox, '[aria-expanded=true]');
  if (!isExpanded()) pressElement(combobox);
  const field = await until(() => searchFieldOf(combobox), { ...options, limitMs: 500 });
  const leave = field ? enter(field) : () => undefined;
  await wait(pollIntervalMs); // popups open in a later task
  if (field && !optionNamed(optionsOf(combobox), text) && !(isTyped && valueOf(field) === text)) typeText(field, text);
  let wasExpanded = false;
  const option = await until(() => {
    const isClosed = wasExpanded && !isExpanded();
    wasExpanded ||= isExpanded();
    return isClosed ? null : optionNamed(optionsOf(combobox), text);
  }, options);
  if (option !== null) return { option, leave };
  leave();
  return undefined;
}

/** The field in which users type: the combobox itself, a field inside of it, or a field that controls the same popup. */
function searchFieldOf(combobox: Element): Element | undefined {
  const popups = idsOf(combobox).flatMap((id) => elementById(rootOf(combobox), id) ?? []);
  const connected = query(rootOf(combobox), 'input[aria-controls], input[aria-owns]').filter((field) =>
    idsOf(field).some((id) => popups.some((popup) => domTree.attribute(popup, 'id') === id)),
  );
  const fields = [combobox, ...query(combobox, 'input, textarea'), ...connected];
  return fields.find((field) => /^(?:input|textarea)$/.test(domTree.localName(field)) && isRendered(field));
}

function selectedOptions(select: Element): readonly Element[] {
  const state = stateOf(select);
  return optionElements(select).filter((_, index) => state.kind === 'selected' && state.options[index]);
}

function selectedValue(select: Element, text: string, option: Element | undefined): string | undefined {
  const options = selectedOptions(select);
  const values = optionValues(select, options);
  const value = option && domTree.attribute(option, 'data-value');
  return values.find((each, index) => each === value || isNamed(text, textOf(options[index] as Element), each));
}

/** The calendars of jQuery UI, bootstrap-datepicker and vanillajs-datepicker. They open on focus, and set a date on closing. */
const calendars = '.ui-datepicker,.datepicker-dropdown';

/** The interface of Selectize, from which the interface of Tom Select descends. */
interface Selectize {
  readonly settings: { readonly delimiter: string; readonly load?: unknown };
  /** Only in Tom Select. Does not dispatch its event `change`, for which pages have `onChange` callbacks. */
  sync?(): void;
  getValue(): unknown;
  trigger(type: 'change', value: unknown): void;
  setValue(values: readonly string[]): void;
  clear(isSilent?: boolean): void;
  createItem(text: string, opensPopup: boolean): boolean;
  addItem(value: string): void;
  updateOriginalInput(): void;
}

/** The objects that libraries attach to the controls that their widgets replace. */
interface WidgetControl extends Element {
  readonly tomselect?: Selectize;
  readonly selectize?: Selectize;
  readonly _flatpickr?: { setDate(date: string): void };
  readonly __tagify?: { loadOriginalValues(text: string): void };
}

/** Select2 shows the value of its select, but dispatches `select2:select` only when users choose. */
interface Select2 {
  data(name: 'select2'): unknown;
  select2(name: 'data'): readonly unknown[];
  trigger(event: { readonly type: 'select2:select'; readonly params: { readonly data: unknown } }): void;
}

/**
 * Shows the value of a control in its widget, and closes open calendars: some libraries do neither after the events of the
 * control.
 * @param values - the selected values, if their options are missing: Selectize removes options from the select
 */
function showInWidget(control: Element, values?: readonly string[]): void {
  const form = domTree.formOwner(control);
  if (form && query(rootOf(control), calendars).some((element) => isRendered(element))) pressBeside(form);
  const state = stateOf(control);
  const wanted = optionValues(control, selectedOptions(control));
  try {
    const { tomselect, selectize, _flatpickr, __tagify } = control as WidgetControl;
    const widget = tomselect ?? selectize;
    if (state.kind === 'value') {
      _flatpickr?.setDate(state.value);
      __tagify?.loadOriginalValues(state.value);
      if (widget) showItems(widget, state.value);
    } else if (tomselect?.sync) {
      tomselect.sync();
      tomselect.trigger('change', tomselect.getValue());
    } else selectize?.setValue(values ?? wanted);
    const window = windowOf(control) as { readonly jQuery?: (control: Element) => Select2 } | null | undefined;
    const jQuery = window && Object.hasOwn(window, 'jQuery') ? window.jQuery : undefined; // an element with this ID can shadow the global
    const select2 = state.kind === 'selected' && !isMultiple(control) && jQuery?.(control);
    if (select2 && select2.data('select2'))
      select2.trigger({ type: 'select2:select', params: { data: select2.select2('data')[0] } });
  } catch (error) {
    reportError(error);
  }
  const choices = state.kind === 'selected' && closest(control, '.choices');
  if (choices) showInChoices(choices, wanted);
}

/** Shows items in the widget of a text field. Missing items are created if the widget allows it. */
function showItems(widget: Selectize, text: string): void {
  widget.clear();
  for (const item of text.split(widget.settings.delimiter).map(collapseWhitespace).filter(Boolean)) {
    if (!widget.createItem(item, false)) widget.addItem(item);
  }
  widget.updateOriginalInput(); // `clear` and `addItem` do not update it if no item changes
}

function showInChoices(choices: Element, wanted: readonly string[]): void {
  const valuesOf = (elements: readonly Element[]) => elements.map((each) => domTree.attribute(each, 'data-value'));
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
