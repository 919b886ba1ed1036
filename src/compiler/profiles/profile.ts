import type { JsonSchema } from '../../json-schema.js';
import type { FormDescription, LabelText } from '../description.js';
import type { Parameter } from '../parameters/parameters.js';

/** Whether sensitive controls become parameters. */
export type Sensitive = 'include' | 'exclude';

/** What a profile says of one parameter. */
export interface ParameterSchema {
  readonly schema: JsonSchema;
  /** Whether the form cannot be submitted without it. */
  readonly required: boolean;
  /** The texts of the page that its description is made of. */
  readonly words: readonly LabelText[];
}

/** One way of saying a form as an input schema; the rest of synthesis is common to all. */
export interface Profile {
  /** What happens to sensitive controls unless the caller says. */
  readonly sensitive: Sensitive;
  /** The members that the root schema has beside `type`, `properties` and `required`. */
  readonly root: Partial<Pick<JsonSchema, 'additionalProperties'>>;
  parameters(form: FormDescription, sensitive: Sensitive): readonly Parameter[];
  schema(form: FormDescription, parameter: Parameter): ParameterSchema;
}
