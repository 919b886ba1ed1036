/* The members of nodes, controls and events: see src/platform/primordials.ts. */
import { htmlName } from '../../platform/dom.js';
import { getter, method, setter } from '../../platform/primordials.js';

export const isConnected = getter<Node, boolean>('Node', 'isConnected');
export const firstChild = getter<Node, Node | null>('Node', 'firstChild');
export const nextSibling = getter<Node, Node | null>('Node', 'nextSibling');
export const textContent = getter<Node, string | null>('Node', 'textContent');
export const baseUrl = getter<Node, string>('Node', 'baseURI');
export const contains = method<Node, [Node | null], boolean>('Node', 'contains');
export const comparePosition = method<Node, [Node], number>('Node', 'compareDocumentPosition');
export const cloneNode = method<Element, [], Element>('Node', 'cloneNode');
export const setData = setter<Node, string>('CharacterData', 'data');
export const removeComment = method<Node, [], void>('CharacterData', 'remove');
export const dataOf = getter<Node, string>('CharacterData', 'data');

export const matches = method<Element, [string], boolean>('Element', 'matches');
export const closest = method<Element, [string], Element | null>('Element', 'closest');
export const attributeNames = method<Element, [], readonly string[]>('Element', 'getAttributeNames');
export const setAttribute = method<Element, [string, string], void>('Element', 'setAttribute');
export const removeAttribute = method<Element, [string], void>('Element', 'removeAttribute');
export const replaceChildren = method<Element, readonly Node[], void>('Element', 'replaceChildren');
export const remove = method<Element, [], void>('Element', 'remove');
export const nextElement = getter<Element, Element | null>('Element', 'nextElementSibling');
export const previousElement = getter<Element, Element | null>('Element', 'previousElementSibling');
export const innerHtml = getter<Element, string>('Element', 'innerHTML');
export const classList = getter<Element, DOMTokenList>('Element', 'classList');
export const clientRects = method<Element, [], DOMRectList>('Element', 'getClientRects');
export const checkVisibility = method<Element, [object?], boolean>('Element', 'checkVisibility');

export const click = method<Element, [], void>('HTMLElement', 'click');
export const focusElement = method<Element, [FocusOptions?], void>('HTMLElement', 'focus');
export const blur = method<Element, [], void>('HTMLElement', 'blur');
export const scrollIntoView = method<Element, [ScrollIntoViewOptions], void>('Element', 'scrollIntoView');
export const tabIndex = getter<Element, number>('HTMLElement', 'tabIndex');
export const innerText = getter<Element, string>('HTMLElement', 'innerText');
export const isContentEditable = getter<Element, boolean>('HTMLElement', 'isContentEditable');

export const formElements = getter<Element, HTMLCollection>('HTMLFormElement', 'elements');
export const requestSubmit = method<Element, [Element | null], void>('HTMLFormElement', 'requestSubmit');
export const labeledControl = getter<Element, Element | null>('HTMLLabelElement', 'control');
export const inputType = getter<Element, string>('HTMLInputElement', 'type');
export const isChecked = getter<Element, boolean>('HTMLInputElement', 'checked');
export const setChecked = setter<Element, boolean>('HTMLInputElement', 'checked');
export const filesOf = getter<Element, FileList | null>('HTMLInputElement', 'files');
export const setFiles = setter<Element, FileList>('HTMLInputElement', 'files');
export const optionsOf = getter<Element, HTMLCollection>('HTMLSelectElement', 'options');
export const isMultiple = getter<Element, boolean>('HTMLSelectElement', 'multiple');
export const setSelectedIndex = setter<Element, number>('HTMLSelectElement', 'selectedIndex');
export const isSelected = getter<Element, boolean>('HTMLOptionElement', 'selected');
export const setSelected = setter<Element, boolean>('HTMLOptionElement', 'selected');
export const optionValue = getter<Element, string>('HTMLOptionElement', 'value');

const inputValue = getter<Element, string>('HTMLInputElement', 'value');
const setInputValue = setter<Element, string>('HTMLInputElement', 'value');
const textareaValue = getter<Element, string>('HTMLTextAreaElement', 'value');
const setTextareaValue = setter<Element, string>('HTMLTextAreaElement', 'value');

export const isTextarea = (control: Element): boolean => htmlName(control) === 'textarea';

/** The value of an input or a textarea. */
export const valueOf = (control: Element): string => (isTextarea(control) ? textareaValue : inputValue)(control);

/** Sets the value of an input or a textarea without events. */
export const setValueOf = (control: Element, value: string): void =>
  (isTextarea(control) ? setTextareaValue : setInputValue)(control, value);

export const bodyOf = getter<Document, Element>('Document', 'body');
export const urlOf = getter<Document, string>('Document', 'URL');
export const referrerOf = getter<Document, string>('Document', 'referrer');
export const activeElement = getter<Document, Element | null>('Document', 'activeElement');
export const documentHasFocus = method<Document, [], boolean>('Document', 'hasFocus');
export const elementInDocument = method<Node, [string], Element | null>('Document', 'getElementById');
export const elementsOfClass = method<Node, [string], HTMLCollection>('Document', 'getElementsByClassName');
export const selectionOf = method<Document, [], Selection | null>('Document', 'getSelection');
export const execCommand = method<Document, [string, boolean?, string?], boolean>('Document', 'execCommand');

export const eventPhase = getter<Event, number>('Event', 'eventPhase');
export const composedPath = method<Event, [], EventTarget[]>('Event', 'composedPath');
export const currentTarget = getter<Event, EventTarget | null>('Event', 'currentTarget');
export const isStopped = getter<Event, boolean>('Event', 'cancelBubble');
export const isPrevented = getter<Event, boolean>('Event', 'defaultPrevented');
export const preventDefault = method<Event, [], void>('Event', 'preventDefault');
