import { isRecord, ownMember } from '../json.js';
import { oneLine, type Paint } from '../site/printable.js';
import type { LiveTool } from './read-live-tools.js';

/** A row for each parameter of a tool: name, type, whether it is required, description. The page may have written the schema. */
export function parameterLines({ inputSchema }: Pick<LiveTool, 'inputSchema'>, paint: Paint): readonly string[] {
  const properties = memberOf(inputSchema, 'properties');
  const listed = memberOf(inputSchema, 'required');
  const required = new Set<unknown>(Array.isArray(listed) ? listed : []);
  const rows = Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => ({
    name: oneLine(name),
    type: oneLine(typeOf(schema)),
    need: required.has(name) ? 'required' : 'optional',
    description: oneLine(descriptionOf(schema)),
  }));
  const [names, types] = [widthOf(rows.map(({ name }) => name)), widthOf(rows.map(({ type }) => type))];
  return rows.map(({ name, type, need, description }) => {
    const cells = `  ${name.padEnd(names)}  ${paint('cyan', type.padEnd(types))}  ${paint('dim', need)}`;
    return description === '' ? cells : `${cells}  ${description}`;
  });
}

const maxWidth = 40;

const widthOf = (texts: readonly string[]): number =>
  texts.reduce((width, { length }) => Math.min(maxWidth, Math.max(width, length)), 0);

const memberOf = (schema: unknown, name: string): unknown => (isRecord(schema) ? ownMember(schema, name) : undefined);

function descriptionOf(schema: unknown): string {
  const description = memberOf(schema, 'description');
  return typeof description === 'string' ? description : '';
}

/** Such as `string`, `string (3 values)`, or `array of string (2 values)`. */
function typeOf(schema: unknown): string {
  const type = memberOf(schema, 'type');
  const name = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
  const items = name === 'array' ? memberOf(schema, 'items') : undefined;
  if (isRecord(items)) return `array of ${typeOf(items)}`;
  const values = ['enum', 'oneOf', 'anyOf'].map((keyword) => memberOf(schema, keyword)).find(Array.isArray);
  return values === undefined ? name : `${name} (${values.length} values)`;
}
