import { warning, type Tell } from './problems.js';

/** An attribute that takes one of some values. */
export function choice<Value extends string>(
  element: Element,
  name: string,
  values: readonly Value[],
  tell: Tell,
): Readonly<Record<string, Value>> {
  const given = element.getAttribute(name);
  const value = values.find((each) => each === given);
  if (given && !value)
    tell(warning(`unknown-${name}`, `${name}="${given}" is ignored: use one of ${values.join(', ')}.`));
  return value ? { [name]: value } : {};
}
