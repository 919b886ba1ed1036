import type { ControlDescription } from '../../description.js';
import type { Tree } from '../../tree.js';
import { captchaEvidence } from './captcha.js';
import { formContext, secretEvidence } from './secret.js';
import { trapEvidence } from './trap.js';

/** The attributes by which a control is a trap, secret or a captcha, with the evidence. */
export type Meaning = Pick<ControlDescription, 'sensitive' | 'trap' | 'captcha' | 'evidence'>;

/**
 * Recognizes traps for programs, secrets and captchas that no attribute of HTML marks as such. A `toolparamdescription`
 * overrides the meaning of its control.
 */
export function meaningsOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  elements: readonly Element[],
  controls: readonly ControlDescription[],
): readonly (Meaning | undefined)[] {
  const context = formContext(controls);
  const trapContext = { form, alone: new Map<Element, boolean>() };
  return controls.map((control, index) => {
    const element = elements[index];
    if (!element || control.sensitive || control.words.some(({ source }) => source === 'toolparamdescription')) return;
    const captcha = captchaEvidence(control, context.hasCard);
    if (captcha) return { captcha: true, evidence: captcha };
    const trap = trapEvidence(tree, element, control, trapContext);
    if (trap) return { trap: true, evidence: trap };
    const secret = secretEvidence(control, context, (name) => tree.attribute(element, name));
    return secret ? { sensitive: true, evidence: secret } : undefined;
  });
}
