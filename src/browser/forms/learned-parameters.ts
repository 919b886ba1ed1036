import { preview } from '../../compiler/preview.js';
import type { SynthesizedParameter, ToolDefinition } from '../../compiler/tool.js';
import type { JsonSchema, JsonValue } from '../../json-schema.js';
import { SafeMap } from '../../platform/collections.js';

/** The choice after which a parameter has appeared. */
export interface Condition {
  readonly parameter: string;
  readonly value: JsonValue;
}

const maxParameters = 100;

/** The parameters that appeared in a form while it was filled. */
export class LearnedParameters {
  readonly #schemas = new SafeMap<string, JsonSchema>();

  /** Returns whether the parameter is new. */
  add({ name, schema }: SynthesizedParameter, condition: Condition | undefined): boolean {
    if (this.#schemas.has(name) || this.#schemas.size >= maxParameters) return false;
    this.#schemas.set(name, condition ? withCondition(schema, condition) : schema);
    return true;
  }

  /** A tool with these parameters as optional ones. A schema that allows further parameters stays as it is. */
  extend(tool: ToolDefinition): ToolDefinition {
    const { inputSchema } = tool;
    const { properties = {}, additionalProperties } = inputSchema;
    if (additionalProperties !== false) return tool;
    const learned = [...this.#schemas].filter(([name]) => !Object.hasOwn(properties, name));
    if (learned.length === 0) return tool;
    const entries = [...Object.entries(properties), ...learned];
    return { ...tool, inputSchema: { ...inputSchema, properties: Object.fromEntries(entries) } };
  }
}

function withCondition(schema: JsonSchema, { parameter, value }: Condition): JsonSchema {
  const words = `Only if ${parameter} is ${preview(value)}.`;
  return { ...schema, description: schema.description ? `${schema.description} ${words}` : words };
}
