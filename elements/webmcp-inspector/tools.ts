import type { RegisteredTool, ToolAnnotations } from '../../src/index.js';
import { documentOf, sourcesIn } from './sources.js';

/** A recent change of a tool. */
export type Mark = 'new' | 'changed';

type Kind = 'form' | 'element' | 'script';

/** A listed tool. It refers to the tool's window only weakly. */
export interface ToolEntry {
  /** Identifies the window and the name. */
  readonly key: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON text, or the empty string. */
  readonly schema: string;
  readonly hints: readonly (keyof ToolAnnotations)[];
  readonly origin: string;
  /** The page of the tool; empty for the inspector's own page. */
  readonly page: string;
  readonly kind: Kind;
  readonly window: WeakRef<Window>;
}

const windowIds = new WeakMap<Window, number>();
let lastId = 0;

function idOf(window: Window): number {
  const id = windowIds.get(window) ?? ++lastId;
  windowIds.set(window, id);
  return id;
}

function pageOf(tool: RegisteredTool): string {
  if (tool.window === window) return '';
  const document = documentOf(tool.window);
  return document?.title || document?.URL || tool.origin;
}

const textOf = (schema: unknown = ''): string => (typeof schema === 'string' ? schema : JSON.stringify(schema));

/** Determines the kinds of tools. Each window is searched once. */
class Kinds {
  readonly #windows = new Map<Window, Map<string, Kind>>();

  of({ window, name }: RegisteredTool): Kind {
    let kinds = this.#windows.get(window);
    if (!kinds) {
      this.#windows.set(window, (kinds = new Map<string, Kind>()));
      for (const source of sourcesIn(window)) if (!kinds.has(source.name)) kinds.set(source.name, source.kind);
    }
    return kinds.get(name) ?? 'script';
  }
}

const hintNames = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint', 'debugging'] as const;

function entryOf(tool: RegisteredTool, kinds: Kinds): ToolEntry {
  const { name, title = '', description, annotations, origin, window } = tool;
  return {
    key: `${idOf(window)} ${name}`,
    name,
    title,
    description,
    origin,
    schema: textOf(tool.inputSchema),
    hints: hintNames.filter((hint) => annotations?.[hint]),
    page: pageOf(tool),
    kind: kinds.of(tool),
    window: new WeakRef(window),
  };
}

const isSame = (one: ToolEntry, other: ToolEntry): boolean =>
  (['schema', 'description', 'title', 'kind', 'page'] as const).every((member) => one[member] === other[member]) &&
  one.hints.join() === other.hints.join();

export interface Listing {
  readonly entries: readonly ToolEntry[];
  readonly marks: ReadonlyMap<string, Mark>;
  readonly removedCount: number;
}

/** Lists tools. Reuses the entries of unchanged tools. */
export function listTools(tools: readonly RegisteredTool[], before: ReadonlyMap<string, ToolEntry>): Listing {
  const kinds = new Kinds();
  const marks = new Map<string, Mark>();
  const entries = tools
    .filter(({ window }) => !window.closed)
    .map((tool) => {
      const entry = entryOf(tool, kinds);
      const old = before.get(entry.key);
      if (old && isSame(old, entry)) return old;
      marks.set(entry.key, old ? 'changed' : 'new');
      return entry;
    });
  const added = [...marks.values()].filter((mark) => mark === 'new').length;
  return { entries, marks, removedCount: before.size - (entries.length - added) };
}
