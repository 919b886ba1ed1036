import type { Diagnostic } from '../../compiler/index.js';
import { canonicalJson, isRecord } from '../../json.js';
import type { ManifestPage, ManifestTool } from './manifest.js';

/** The names of the sources of the two versions of a page, for messages. */
interface Origins {
  readonly first: string;
  readonly second: string;
}

interface JoinedPage {
  readonly page: ManifestPage;
  readonly found: readonly Diagnostic[];
}

/**
 * Joins two versions of a page from different sessions. Equal tools are included once. If different tools have the same name,
 * only the first is included. Differences are reported.
 */
export function joinPages(first: ManifestPage, second: ManifestPage, origins: Origins): JoinedPage {
  const byName = new Map(first.tools.map((tool) => [tool.name, tool]));
  const names = new Set(second.tools.map(({ name }) => name));
  const added = second.tools.filter(({ name }) => !byName.has(name));
  const found = [
    ...first.tools.flatMap((tool) => (names.has(tool.name) ? [] : onlyIn(tool, origins.first))),
    ...second.tools.flatMap((tool) => {
      const other = byName.get(tool.name);
      if (!other) return onlyIn(tool, origins.second);
      return contentOf(other) === contentOf(tool) ? [] : different(other, origins);
    }),
  ];
  const title = first.title ?? second.title;
  const page = {
    path: first.path,
    ...(title !== undefined && { title }),
    tools: [...first.tools, ...added],
    diagnostics: distinct([...first.diagnostics, ...second.diagnostics, ...found]),
  };
  return { page, found };
}

/**
 * A tool as JSON without its session and its source locations, which differ between equal forms. A parameter with the name
 * `location` is not removed.
 */
export const contentOf = ({ source: _, session: __, ...tool }: ManifestTool): string =>
  JSON.stringify({ ...tool }, (key, value: unknown) => (key === 'location' && isPlace(value) ? undefined : value));

const isPlace = (value: unknown): boolean => isRecord(value) && typeof value['line'] === 'number';

const code = 'session-dependent-tool';

const onlyIn = ({ name, source }: ManifestTool, origin: string): Diagnostic => ({
  code,
  severity: 'info',
  message: `The page has this tool only in ${origin}. Calls in other sessions fail.`,
  tool: name,
  location: source,
});

const different = ({ name, source }: ManifestTool, { first, second }: Origins): Diagnostic => ({
  code,
  severity: 'warning',
  message: `The tool of this name in ${second} is different, so the manifest has only that of ${first}. Rename one of them.`,
  tool: name,
  location: source,
});

const distinct = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...new Map(diagnostics.map((each) => [canonicalJson({ ...each }), each])).values(),
];
