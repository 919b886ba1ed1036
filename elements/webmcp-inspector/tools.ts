import type { RegisteredTool, ToolAnnotations } from '../../src/index.js';
import { documentOf, sourcesIn } from './sources.js';

/** What has happened to a tool since it was listed before. */
export type Mark = 'new' | 'changed';

export type Kind = 'form' | 'element' | 'script';

/** A tool as it was listed. It does not keep the tool's window. */
export interface ToolEntry {
  /** Of one name and one window. */
  readonly key: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON text; empty if there is none. */
  readonly schema: string;
  /** What it says about itself. */
  readonly hints: readonly (keyof ToolAnnotations)[];
  readonly origin: string;
  /** Which page it lives in; empty for the inspector's own. */
  readonly page: string;
  readonly kind: Kind;
  readonly window: WeakRef<Window>;
}

const ids = new WeakMap<Window, number>();
let lastId = 0;

function idOf(window: Window): number {
  const id = ids.get(window) ?? ++lastId;
  ids.set(window, id);
  return id;
}

function pageOf(tool: RegisteredTool): string {
  if (tool.window === window) return '';
  const document = documentOf(tool.window);
  return document?.title || document?.URL || tool.origin;
}

const textOf = (schema: unknown = ''): string => (typeof schema === 'string' ? schema : JSON.stringify(schema));

/** What the tools of the windows are made of, by window and name. */
class Kinds {
  readonly #windows = new Map<Window, Map<string, Kind>>();

  of({ window, name }: RegisteredTool): Kind {
    let kinds = this.#windows.get(window);
    if (!kinds) this.#windows.set(window, (kinds = new Map<string, Kind>()));
    else return kinds.get(name) ?? 'script';
    for (const source of sourcesIn(window)) if (!kinds.has(source.name)) kinds.set(source.name, source.kind);
    return kinds.get(name) ?? 'script';
  }
}

const hintNames = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint', 'debugging'] as const;

function entryOf(tool: RegisteredTool, kinds: Kinds): ToolEntry {
  const { name, title = '', description, annotations, origin } = tool;
  return {
    ...{ key: `${idOf(tool.window)} ${name}`, name, title, description, origin },
    ...{
      schema: textOf(tool.inputSchema),
      hints: hintNames.filter((hint) => annotations?.[hint]),
      page: pageOf(tool),
      kind: kinds.of(tool),
    },
    window: new WeakRef(tool.window),
  };
}

const isSame = (one: ToolEntry, other: ToolEntry): boolean =>
  one.schema === other.schema &&
  one.description === other.description &&
  one.title === other.title &&
  one.kind === other.kind &&
  one.page === other.page &&
  one.hints.join() === other.hints.join();

export interface Listing {
  readonly entries: readonly ToolEntry[];
  /** What is new, and what is different, by its key. */
  readonly marks: ReadonlyMap<string, Mark>;
  readonly removed: number;
}

/** Makes entries of the tools; a tool that is as it was keeps its entry. */
export function listingOf(tools: readonly RegisteredTool[], before: ReadonlyMap<string, ToolEntry>): Listing {
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
  return { entries, marks, removed: before.size - (entries.length - added) };
}
