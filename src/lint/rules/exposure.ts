import type { ControlDescription } from '../../compiler/index.js';
import { spellings } from '../page/place.js';
import { atControl, defineRules, type LintedTool } from './rule.js';

export const exposureRules = defineRules({
  'exposed-sensitive-control': {
    level: 'warning',
    summary: 'A password, payment data or a one-time code is a parameter.',
    *check(tool) {
      for (const { control, index } of exposedControls(tool)) {
        if (!control.sensitive) continue;
        const message = `Agents choose the value of this parameter, but ${contentOf(control)} should come from the user. Exclude sensitive controls, or split the form.`;
        yield { message, ...atControl(tool, index), attributes: ['autocomplete', 'type'] };
      }
    },
  },
  'exposed-token': {
    level: 'warning',
    summary: 'A hidden control that looks like a token is a parameter.',
    *check(tool) {
      for (const { control, index } of exposedControls(tool)) {
        if (control.type !== 'hidden' || !isToken(control)) continue;
        const message =
          'The hidden control looks like a token, and its toolparamdescription makes it a parameter. Remove the toolparamdescription.';
        yield { message, ...atControl(tool, index), attributes: spellings('toolparamdescription') };
      }
    },
  },
});

const exposedControls = ({ form, parameters }: LintedTool) =>
  parameters
    .flatMap(({ units }) => units.flatMap(({ controls }) => controls))
    .flatMap((index) => {
      const control = form.controls[index];
      return control ? [{ control, index }] : [];
    });

function contentOf({ type, attributes: { autocomplete = '' } }: ControlDescription): string {
  if (/\bcc-/i.test(autocomplete)) return 'payment data';
  if (/\bone-time-code\b/i.test(autocomplete)) return 'a one-time code';
  return type === 'password' || /password/i.test(autocomplete) ? 'a password' : 'its value';
}

const tokenName =
  /csrf|xsrf|nonce|token|secret|signature|session[-_]?id|api[-_]?key|captcha|__viewstate|__eventvalidation|\bsid\b|\bauth(?:_|$)/i;
const jwt = /^[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/;

/** Recognizes a token by its name, or by a value that is a JWT, a long hexadecimal number or mixed letters and digits. */
function isToken({ name, attributes: { value = '' } }: ControlDescription): boolean {
  if (tokenName.test(name)) return true;
  if (value.length > 10_000) return false;
  if (jwt.test(value) || /^[0-9a-f]{32,}$/i.test(value)) return true;
  return /^[A-Za-z0-9+/_=-]{20,}$/.test(value) && [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(value));
}
