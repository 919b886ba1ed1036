import type { ControlDescription, FormDescription, GroupDescription } from '../description.js';
import { describeControl } from './describe-control.js';
import { annotation, describeGroupWords, firstLegend } from './label-text.js';
import { scopeOf, type Scope } from './scope.js';
import { ancestors, type Tree } from '../tree.js';

/** A form's description with the elements that its `controls` describe, in the same order. */
export interface DescribedForm<Element> {
  readonly description: FormDescription;
  readonly controls: readonly Element[];
}

/** What surrounds a node, as far as it concerns the controls inside. */
interface Surroundings {
  readonly disabled: boolean;
  readonly groups: readonly number[];
  readonly insideForm: boolean;
}

/** One reading of a form. */
interface Reading<Node, Element extends Node> {
  readonly tree: Tree<Node, Element>;
  readonly form: Element;
  readonly groups: GroupDescription[];
  readonly surroundings: Map<Node, Surroundings>;
  readonly scope: Scope<Element>;
}

/**
 * Reads a form into plain data: its content attributes, its controls and every text that can describe them.
 *
 * @param scope - the form's tree scope; read anew from the form's root when it is not given
 * @example
 * const { description, controls } = describeForm(domTree, form);
 */
export const describeForm = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  scope: Scope<Element> = scopeOf(tree, form),
): DescribedForm<Element> => describeWithin(tree, form, scope);

/** The same for a scope that the caller has. */
export function describeWithin<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  scope: Scope<Element>,
): DescribedForm<Element> {
  const controls = scope.controls(form);
  const reading = { tree, form, groups: [], surroundings: new Map<Node, Surroundings>(), scope };
  const described = controls.map((control) => inSurroundings(reading, control));
  return { description: { ...describeTool(reading), groups: reading.groups, controls: described }, controls };
}

function describeTool<Node, Element extends Node>({
  tree,
  form,
  scope,
}: Reading<Node, Element>): Omit<FormDescription, 'groups' | 'controls'> {
  const attribute = (name: string): string | null => tree.attribute(form, name);
  const location = tree.location?.(form);
  return {
    tool: {
      name: annotation(tree, form, 'toolname'),
      description: annotation(tree, form, 'tooldescription'),
      title: annotation(tree, form, 'tooltitle'),
      autosubmit: annotation(tree, form, 'toolautosubmit') !== null,
    },
    method: keyword(attribute('method'), ['get', 'post', 'dialog']),
    action: attribute('action'),
    enctype: keyword(attribute('enctype'), ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']),
    ...optional('acceptCharset', attribute('accept-charset')),
    ...optional('target', attribute('target')),
    ...(attribute('novalidate') !== null && { noValidate: true as const }),
    ...optional('base', scope.base),
    ...(location && { location }),
  };
}

/** An enumerated attribute's keyword; the first is the missing and the invalid value default. */
function keyword<const Keyword extends string>(
  value: string | null,
  keywords: readonly [Keyword, ...Keyword[]],
): Keyword {
  return keywords.find((each) => each === value?.toLowerCase()) ?? keywords[0];
}

const optional = <Name extends string>(name: Name, value: string | null): Partial<Record<Name, string>> =>
  value === null ? {} : ({ [name]: value } as Record<Name, string>);

function inSurroundings<Node, Element extends Node>(
  reading: Reading<Node, Element>,
  control: Element,
): ControlDescription {
  const { disabled, groups } = surroundingsOf(reading, control);
  return describeControl(reading.tree, control, reading.scope, { disabled, groups });
}

/** Climbs to the nearest node whose surroundings are known, then comes down again: no node is read twice. */
function surroundingsOf<Node, Element extends Node>(reading: Reading<Node, Element>, control: Element): Surroundings {
  const path: Node[] = [];
  let known: Surroundings | undefined;
  for (const up of ancestors(reading.tree, control)) {
    known = reading.surroundings.get(up);
    if (known) break;
    path.push(up);
  }
  return path.reduceRight((around, node) => surround(reading, node, around), known ?? nothing);
}

const nothing: Surroundings = { disabled: false, groups: [], insideForm: false };

function surround<Node, Element extends Node>(
  reading: Reading<Node, Element>,
  node: Node,
  around: Surroundings,
): Surroundings {
  const inner = reading.tree.isElement(node) ? surroundByElement(reading, node, around) : around;
  reading.surroundings.set(node, inner);
  return inner;
}

function surroundByElement<Node, Element extends Node>(
  reading: Reading<Node, Element>,
  element: Element,
  around: Surroundings,
): Surroundings {
  const { tree, form } = reading;
  if (element === form) return { ...around, groups: [], insideForm: true };
  const name = tree.localName(element);
  if (name === 'legend' && around.disabled) return { ...around, disabled: isDisabledLegend(reading, element) };
  if (name !== 'fieldset' && !isRoleGroup(tree, element)) return around;
  const groups = [addGroup(reading, element, around.insideForm), ...around.groups].slice(0, mostGroups);
  return {
    ...around,
    groups,
    disabled: around.disabled || (name === 'fieldset' && tree.attribute(element, 'disabled') !== null),
  };
}

/** How many groups around a control are kept: those of a control in thousands would cost their square. */
const mostGroups = 100;

/** A fieldset does not disable what is in its first legend. https://html.spec.whatwg.org/#concept-fe-disabled */
function isDisabledLegend<Node, Element extends Node>(reading: Reading<Node, Element>, legend: Element): boolean {
  const { tree, surroundings } = reading;
  const parent = tree.parent(legend);
  if (parent === null || !tree.isElement(parent) || firstLegend(tree, parent) !== legend) return true;
  const outer = tree.parent(parent);
  return outer !== null && (surroundings.get(outer)?.disabled ?? false);
}

const isRoleGroup = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  /^(?:radio)?group$/i.test(tree.attribute(element, 'role') ?? '');

function addGroup<Node, Element extends Node>(
  { tree, groups, scope }: Reading<Node, Element>,
  element: Element,
  insideForm: boolean,
): number {
  const location = tree.location?.(element);
  return (
    groups.push({
      element: tree.localName(element),
      ...(!insideForm && { outside: true as const }),
      words: describeGroupWords(tree, element, scope),
      ...(location && { location }),
    }) - 1
  );
}
