import type { JsonRecord } from '../json.js';
import type { WebtoolAction } from './metadata.js';

export interface ModelTool {
  readonly action: WebtoolAction;
  /** The unique name, with 1 to 64 of the characters `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  readonly schema: JsonRecord;
}

const maxLength = 64;

/** Assigns each action a name that model APIs accept: if valid, the prefix and its own name. Depends only on the arguments. */
export function modelTools(actions: readonly WebtoolAction[], prefix = ''): readonly ModelTool[] {
  const valid = new Set(actions.map(({ name }) => prefix + name).filter((name) => validName.test(name)));
  const used = new Set(valid);
  return actions.map((action) => {
    const ownName = prefix + action.name;
    const name = valid.has(ownName) ? ownName : uniqueName(ownName.replace(/[^\w-]/g, '_'), used);
    used.add(name);
    return { action, name, schema: { type: 'object', properties: {}, ...action.requestSchema } };
  });
}

const validName = new RegExp(`^[\\w-]{1,${maxLength}}$`);

function uniqueName(name: string, used: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : `_${count}`;
    const candidate = name.slice(0, maxLength - suffix.length) + suffix;
    if (!used.has(candidate)) return candidate;
  }
}
