import type { JsonRecord } from '../json.js';
import type { WebtoolAction } from './metadata.js';

/** An action as the interfaces of models take it. */
export interface ModelTool {
  readonly action: WebtoolAction;
  /** 1 to 64 of `A-Z a-z 0-9 _ -`, and no other's. */
  readonly name: string;
  readonly schema: JsonRecord;
}

const longest = 64;

/**
 * Gives each action a name that models' interfaces take: its own where they do. The same actions have the same names
 * always.
 *
 * @param prefix - what every name begins with
 */
export function modelTools(actions: readonly WebtoolAction[], prefix = ''): readonly ModelTool[] {
  const own = new Set(actions.map(({ name }) => prefix + name).filter((name) => allowed.test(name)));
  const taken = new Set(own);
  return actions.map((action) => {
    const given = prefix + action.name;
    const name = own.has(given) ? given : freeName(given.replace(/[^\w-]/g, '_'), taken);
    taken.add(name);
    return { action, name, schema: { type: 'object', properties: {}, ...action.requestSchema } };
  });
}

const allowed = new RegExp(`^[\\w-]{1,${longest}}$`);

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? '' : `_${count}`;
    const free = name.slice(0, longest - end.length) + end;
    if (!taken.has(free)) return free;
  }
}
