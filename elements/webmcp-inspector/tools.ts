import type { RegisteredTool, ToolAnnotations } from '../../src/index.js';
import { documentOf, sourcesIn, type InspectorSource, type SourceTool } from './source.js';

/** A recent change of a tool. */
export type Mark = 'new' | 'changed';

type Kind = 'form' | 'element' | 'script';

/** A listed tool. It refers to the tool's window only weakly. */
export interface ToolEntry {
  /** Identifies the window and the name, or the tool of a source. */
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
  /** The tool as its source has returned it. */
  readonly source?: { readonly from: InspectorSource; readonly tool: SourceTool } | undefined;
}

const ids = new WeakMap<object, number>();
let lastId = 0;

function idOf(owner: object): number {
  const id = ids.get(owner) ?? ++lastId;
  ids.set(owner, id);
  return id;
}

function pageOf({ window: owner = window, origin = '' }: SourceTool): string {
  if (owner === window) return '';
  const document = documentOf(owner);
  return document?.title || document?.URL || origin;
}

const textOf = (schema: unknown = ''): string => (typeof schema === 'string' ? schema : JSON.stringify(schema));

/** Determines the kinds of tools. Each window is searched once. */
class Kinds {
  readonly #windows = new Map<Window, Map<string, Kind>>();

  of({ window, name }: Pick<RegisteredTool, 'window' | 'name'>): Kind {
    let kinds = this.#windows.get(window);
    if (!kinds) {
      this.#windows.set(window, (kinds = new Map<string, Kind>()));
      for (const source of sourcesIn(window)) if (!kinds.has(source.name)) kinds.set(source.name, source.kind);
    }
    return kinds.get(name) ?? 'script';
  }
}

const hintNames = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint', 'debugging'] as const;

function entryOf(tool: SourceTool, kinds: Kinds, from: InspectorSource | undefined): ToolEntry {
  const { name, id = name, title = '', description = '', annotations, origin = '', window: owner = window } = tool;
  return {
    key: `${idOf(from ?? owner)} ${id}`,
    name,
    title,
    description,
    origin,
    schema: textOf(tool.inputSchema),
    hints: hintNames.filter((hint) => annotations?.[hint]),
    page: pageOf(tool),
    kind: from ? (from.inspectTool ? 'form' : 'script') : kinds.of({ name, window: owner }),
    window: new WeakRef(owner),
    source: from && { from, tool },
  };
}

const isSame = (one: ToolEntry, other: ToolEntry): boolean =>
  (['name', 'schema', 'description', 'title', 'kind', 'page'] as const).every(
    (member) => one[member] === other[member],
  ) && one.hints.join() === other.hints.join();

export interface Listing {
  readonly entries: readonly ToolEntry[];
  readonly marks: ReadonlyMap<string, Mark>;
  readonly removedCount: number;
}

/** Lists the tools of this page, or of a source. Reuses the entries of unchanged tools. */
export function listTools(
  tools: readonly SourceTool[],
  before: ReadonlyMap<string, ToolEntry>,
  from: InspectorSource | undefined,
): Listing {
  const kinds = new Kinds();
  const marks = new Map<string, Mark>();
  const entries = tools
    .filter(({ window: owner }) => !owner?.closed)
    .map((tool) => {
      const entry = entryOf(tool, kinds, from);
      const old = before.get(entry.key);
      if (old && isSame(old, entry)) return old;
      marks.set(entry.key, old ? 'changed' : 'new');
      return entry;
    });
  const added = [...marks.values()].filter((mark) => mark === 'new').length;
  return { entries, marks, removedCount: before.size - (entries.length - added) };
}
