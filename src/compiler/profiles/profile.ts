import type { JsonSchema } from '../../json-schema.js';
import type { FormDescription, LabelText } from '../description.js';
import type { Parameter } from '../parameters/parameters.js';

/** Whether sensitive controls become parameters. */
export type Sensitive = 'include' | 'exclude';

/** A schema, and hints in words for rules that its keywords cannot express. */
export interface SchemaWithHints {
  readonly schema: JsonSchema;
  readonly hints: readonly string[];
}

export interface ParameterSchema {
  readonly schema: JsonSchema;
  /** Whether the form cannot be submitted without the parameter. */
  readonly required: boolean;
  readonly words: readonly LabelText[];
}

/** Maps forms to input schemas. All profiles share the rest of synthesis. */
export interface Profile {
  /** The default of the option `sensitive`. */
  readonly sensitive: Sensitive;
  /** The members of the root schema besides `type`, `properties` and `required`. */
  readonly root: Partial<Pick<JsonSchema, 'additionalProperties'>>;
  /** Whether a legend describes a group of controls. */
  readonly readsLegends: boolean;
  /** Whether traps and the answers of captchas are not parameters. */
  readonly excludesByMeaning: boolean;
  /** Whether `pattern` attributes are copied as written, although JSON Schema lacks the flag `v`. */
  readonly copiesPatterns: boolean;
  parameters(form: FormDescription, sensitive: Sensitive): readonly Parameter[];
  schema(form: FormDescription, parameter: Parameter): ParameterSchema;
  /** The indices of the controls that are not parameters because they share a name. */
  collisions(form: FormDescription): ReadonlySet<number>;
}
