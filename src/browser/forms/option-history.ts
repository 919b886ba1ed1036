import type { FormDescription } from '../../compiler/description.js';
import { choicesOf } from '../../compiler/parameters/choices.js';
import type { Parameter } from '../../compiler/parameters/parameters.js';
import { stringify } from '../../json.js';
import { SafeMap, SafeSet } from '../../platform/collections.js';

/** The values that each unit of a parameter offers. */
export const valuesOf = (form: FormDescription, { units }: Parameter): readonly (readonly string[])[] =>
  units.map((unit) => choicesOf(form, unit).map(({ value }) => value));

/** Records which parameters of a form have changed the values that they offer. */
export class OptionHistory {
  readonly #texts = new SafeMap<string, string>();
  readonly #changed = new SafeSet<string>();

  update(form: FormDescription, parameters: readonly Parameter[]): void {
    for (const parameter of parameters) {
      const text = stringify(valuesOf(form, parameter));
      if ((this.#texts.get(parameter.name) ?? text) !== text) this.#changed.add(parameter.name);
      this.#texts.set(parameter.name, text);
    }
  }

  hasChanged(name: string): boolean {
    return this.#changed.has(name);
  }
}
