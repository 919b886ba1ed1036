import type { ControlDescription } from '../../compiler/index.js';
import type { Found, ToolRule } from '../page/context.js';
import { spellings } from '../page/place.js';

/** Parameters that no agent should see. */
export const exposureRules: ToolRule = function* ({ form, parameters, controls, element }): Generator<Found> {
  for (const index of parameters.flatMap(({ units }) => units.flatMap((unit) => unit.controls))) {
    const control = form.controls[index];
    if (!control) continue;
    const where = { element: controls[index] ?? element, parameter: control.name };
    if (control.sensitive)
      yield {
        code: 'exposed-sensitive-control',
        message: `Agents see the parameter and choose its value, and ${whatItIs(control)} is for the person alone: exclude sensitive controls, or split the form.`,
        attributes: ['autocomplete', 'type'],
        ...where,
      };
    if (control.type === 'hidden' && isToken(control))
      yield {
        code: 'exposed-token',
        message:
          'The hidden control looks like a token, and its toolparamdescription makes a parameter of it: take the toolparamdescription away.',
        attributes: spellings('toolparamdescription'),
        ...where,
      };
  }
};

const whatItIs = ({ type, attributes: { autocomplete = '' } }: ControlDescription): string => {
  if (/\bcc-/i.test(autocomplete)) return 'payment data';
  if (/\bone-time-code\b/i.test(autocomplete)) return 'a one-time code';
  return type === 'password' || /password/i.test(autocomplete) ? 'a password' : 'its value';
};

const tokenName =
  /csrf|xsrf|nonce|token|secret|signature|session[-_]?id|api[-_]?key|captcha|__viewstate|__eventvalidation|\bsid\b|\bauth(?:_|$)/i;
const jwt = /^[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/;

/** By its name, or by a value that no person wrote: mixed letters and digits, or a long hexadecimal number. */
function isToken({ name, attributes: { value = '' } }: ControlDescription): boolean {
  if (tokenName.test(name)) return true;
  if (value.length > 10_000) return false;
  if (jwt.test(value) || /^[0-9a-f]{32,}$/i.test(value)) return true;
  return /^[A-Za-z0-9+/_=-]{20,}$/.test(value) && [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(value));
}
