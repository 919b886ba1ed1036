import type { ManifestTool } from '../../site/manifest/manifest.js';
import type { Finding, Fix } from '../finding.js';

/** A finding whose fix was applied. */
export type FixedFinding = Finding & { readonly fix: Fix };

/** A page's text with its fixes, and those that were applied. */
export interface FixedText {
  readonly text: string;
  readonly fixed: readonly FixedFinding[];
}

/** The tools of a page's text. */
export type ReadTools = (text: string) => readonly ManifestTool[];

/**
 * Applies the fixes of findings: each where its attribute stands, none over another; all else stays as it is.
 *
 * The text is read again, and fixes with which a tool would be another one are left away.
 */
export function applyFixes(text: string, findings: readonly Finding[], readTools: ReadTools): FixedText {
  const fixable = findings
    .filter((finding): finding is FixedFinding => finding.fix !== undefined)
    .sort((one, other) => one.fix.start - other.fix.start);
  if (fixable.length === 0) return { text, fixed: [] };
  const before = readTools(text).map(identityOf);
  const isSafe = ({ text: changed }: FixedText): boolean => {
    const after = new Map(readTools(changed).map(identityOf));
    return before.every(([name, identity]) => after.get(name) === identity);
  };
  const all = changed(text, fixable);
  if (isSafe(all)) return all;
  const safe = changed(
    text,
    safeOnes(fixable, (some) => isSafe(changed(text, some))),
  );
  return isSafe(safe) ? safe : { text, fixed: [] };
}

/** A page with more fixes to tell apart than this keeps the rest of them for a person. */
const mostReadings = 100;

/** The fixes that are safe, in halves of which each is safe as a whole. */
function safeOnes(
  fixable: readonly FixedFinding[],
  isSafe: (some: readonly FixedFinding[]) => boolean,
): readonly FixedFinding[] {
  const parts = [fixable];
  let safe: readonly FixedFinding[] = [];
  let readings = 0;
  for (let part = parts.pop(); part && readings < mostReadings; part = parts.pop()) {
    readings++;
    if (isSafe(part)) safe = [...part, ...safe];
    else if (part.length > 1) parts.push(part.slice(0, part.length / 2), part.slice(part.length / 2));
  }
  return safe;
}

/** A tool's name and all else that matters of it: where it stands does not. */
const identityOf = ({ name, title, description, inputSchema, annotations, form }: ManifestTool): [string, string] => [
  name,
  JSON.stringify([title, description, inputSchema, annotations]) + JSON.stringify(form, withoutPlaces),
];

const withoutPlaces = (key: string, value: unknown): unknown => (key === 'location' ? undefined : value);

function changed(text: string, fixable: readonly FixedFinding[]): FixedText {
  const fixed: FixedFinding[] = [];
  const parts: string[] = [];
  let end = 0;
  for (const finding of fixable) {
    const change = finding.fix.start < end ? undefined : changeOf(text, finding.fix);
    if (!change) continue;
    parts.push(text.slice(end, change.start), change.text);
    end = finding.fix.end;
    fixed.push(finding);
  }
  return { text: [...parts, text.slice(end)].join(''), fixed };
}

function changeOf(text: string, { attribute, start, end, after }: Fix): { start: number; text: string } | undefined {
  const written = text.slice(start, end);
  if (!written.toLowerCase().startsWith(attribute)) return undefined;
  if (after !== null) return { start, text: `${written.slice(0, attribute.length)}="${after}"` };
  return { start: isParted(text, end) ? spaceBefore(text, start) : start, text: '' };
}

/** Whether what comes next begins a part of its own: an unquoted value would take in anything else. */
const isParted = (text: string, end: number): boolean => /[\t\n\f\r >]/.test(text.charAt(end));

function spaceBefore(text: string, start: number): number {
  let at = start;
  while (/[\t\n\f\r ]/.test(text.charAt(at - 1))) at--;
  return at;
}
