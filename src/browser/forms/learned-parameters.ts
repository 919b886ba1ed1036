import type { ParameterError } from '../../compiler/input/parameter-error.js';
import { preview } from '../../compiler/preview.js';
import type { SynthesizedParameter, ToolDefinition } from '../../compiler/tool.js';
import type { JsonSchema, JsonValue } from '../../json-schema.js';
import { SafeMap } from '../../platform/collections.js';

/** The choice after which a parameter has appeared. */
export interface Condition {
  readonly parameter: string;
  readonly value: JsonValue;
}

interface LearnedParameter {
  readonly schema: JsonSchema;
  /** The condition under which it appears; empty if the condition is unknown. */
  readonly words: string;
}

const maxParameters = 100;

/** The parameters that appeared in a form while it was filled. */
export class LearnedParameters {
  readonly #parameters = new SafeMap<string, LearnedParameter>();

  /** Returns whether the parameter is new. */
  add({ name, schema }: SynthesizedParameter, condition: Condition | undefined): boolean {
    if (this.#parameters.has(name) || this.#parameters.size >= maxParameters) return false;
    this.#parameters.set(name, condition ? withCondition(schema, condition) : { schema, words: '' });
    return true;
  }

  /** Adds these parameters to a tool as optional ones. A schema that allows additional properties is not changed. */
  extend(tool: ToolDefinition): ToolDefinition {
    const { inputSchema } = tool;
    const { properties = {}, additionalProperties } = inputSchema;
    if (additionalProperties !== false) return tool;
    const learned = [...this.#parameters].filter(([name]) => !Object.hasOwn(properties, name));
    if (learned.length === 0) return tool;
    const entries = [...Object.entries(properties), ...learned.map(([name, { schema }]) => [name, schema] as const)];
    return { ...tool, inputSchema: { ...inputSchema, properties: Object.fromEntries(entries) } };
  }

  /** Adds the condition and the schema to the error for a learned parameter that does not appear with the input. */
  explain(error: ParameterError): ParameterError {
    const { parameter, code } = error;
    const learned = code === 'unknown-parameter' ? this.#parameters.get(parameter) : undefined;
    if (!learned) return error;
    const message = `Parameter ${preview(parameter)} does not appear with this input. ${learned.words}`.trim();
    return { ...error, message, expected: learned.schema };
  }
}

function withCondition(schema: JsonSchema, { parameter, value }: Condition): LearnedParameter {
  const words = `Only if ${parameter} is ${preview(value)}.`;
  const description = schema.description ? `${schema.description} ${words}` : words;
  return { schema: { ...schema, description }, words };
}
