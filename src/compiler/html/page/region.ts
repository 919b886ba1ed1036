import type { Tree } from '../../tree.js';
import { nameSet } from '../elements.js';
import { asciiLowercase } from '../text.js';
import { classOf } from './rendered-tree.js';

/**
 * `field`: an error of a control; `list`: a list of errors before their control, as in Django; `bare`: a list without
 * attributes that may contain errors, as in Symfony; `error`: an error of the page; `alert` and `status`: a message.
 */
export type Severity = 'field' | 'list' | 'bare' | 'error' | 'alert' | 'status';

interface Context {
  readonly form: unknown;
  /** Whether the element is inside another message in the same form. */
  readonly isInMessage: boolean;
  /** The name of the previous element of the same parent. */
  readonly previousName: string | undefined;
}

const errorListClass = /(?:^|\s)errorlist(?!\S)/;
const fieldClass =
  /(?:^|[\s_-])(?:invalid-(?:feedback|tooltip)|errors?[-_]?(?:message|text|msg|label|list)|(?:field|form|input|validation)[-_]errors?)(?!\S)/i;
const plainErrorClass = /(?:^|\s)(?:errors?|oo-ui-flaggedElement-error)(?!\S)/;
const errorClass =
  /(?:^|\s)(?:(?:alert|notice|flash|messages?|msg|notification|callout)[-_]{0,2}(?:danger|error)|\S*error-summary|validation-summary-errors|\w*errorbox|wp-die-message|(?:mw-explain)?conflict|\S*-message(?:-box-|--)error)(?!\S)/i;
const statusClass =
  /(?:^|\s)(?:messagelist|messages|errornote|notice|flash|alert|success(?:box)?|notify|action-results|(?:alert|notice|flash|messages?|toast|callout|notification|\S*-(?:message(?:-box)?|flaggedElement))[-_]{1,2}(?:success|info|warn(?:ing)?|notice|status|primary|alert))(?!\S)|^(?:info|updated)$/i;
const errorId = /^(?:login_error|error_?explanation)$/i;
const statusId = /^(?:notice|alert|messages?|flash(?:[-_]\w+)?)$/i;
const blocks = nameSet('div p ul ol dl section aside');
const inlines = nameSet('span small em strong dd');
const roles: Readonly<Record<string, Severity>> = { alert: 'alert', alertdialog: 'alert', status: 'status' };

/** The severity of an element that contains a message; undefined for other elements. */
export function severityOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  name: string,
  context: Context,
): Severity | undefined {
  const role = asciiLowercase(tree.attribute(element, 'role') ?? '');
  const live = asciiLowercase(tree.attribute(element, 'aria-live') ?? '');
  const bySemantics = Object.hasOwn(roles, role)
    ? roles[role]
    : name === 'output' || live === 'polite' || live === 'assertive'
      ? 'status'
      : undefined;
  return byClass(tree, element, name, context) ?? bySemantics;
}

function byClass<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  name: string,
  { form, isInMessage, previousName }: Context,
): Severity | undefined {
  const id = tree.attribute(element, 'id') ?? '';
  if (name === 'label') return /-error$/.test(id) ? 'field' : undefined;
  const isBlock = blocks.has(name);
  if (!isBlock && !inlines.has(name)) return undefined;
  const classes = classOf(tree, element);
  if (errorListClass.test(classes)) return /(?:^|\s)non(?:field|form)(?!\S)/.test(classes) ? 'error' : 'list';
  if (fieldClass.test(classes)) return 'field';
  if (form && plainErrorClass.test(classes)) return 'field';
  if (!isBlock) return undefined;
  if (errorClass.test(classes) || plainErrorClass.test(classes) || errorId.test(id)) return 'error';
  if (statusClass.test(classes) || statusId.test(id)) return 'status';
  if (
    form &&
    !isInMessage &&
    name === 'ul' &&
    !classes &&
    !id &&
    (previousName === undefined || previousName === 'label')
  )
    return 'bare';
  return byStyle(tree.attribute(element, 'style') ?? '', name);
}

/** The severity by inline color, because the scaffolds of Rails 7 have no classes. */
function byStyle(style: string, name: string): Severity | undefined {
  const color = /^\s*color:\s*(red|green)\s*(?:;\s*)?$/.exec(style)?.[1];
  if (name === 'div' && color === 'red') return 'error';
  return name === 'p' && color === 'green' ? 'status' : undefined;
}
