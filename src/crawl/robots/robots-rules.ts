/** The rules of robots.txt for one robot. https://www.rfc-editor.org/rfc/rfc9309 */
interface RobotsRules {
  /** @param path - the path and query of a URL */
  readonly isAllowed: (path: string) => boolean;
  /** In seconds, as written. */
  readonly crawlDelay: number;
  /** As written. */
  readonly sitemaps: readonly string[];
  /** The total length of the rules with wildcards, in characters. */
  readonly wildcardCharacters: number;
}

interface Group {
  readonly rules: { readonly pattern: string; readonly isAllowed: boolean }[];
  crawlDelay: number;
}

/**
 * Parses robots.txt. Comparing a URL takes time proportional to the lengths of the URL and of the rules, whatever their number.
 *
 * @param product - the product token of the robot, in lower case
 */
export function parseRobots(text: string, product: string): RobotsRules {
  const groups = new Map<string, Group>(); // of the robot and of all robots
  const sitemaps: string[] = [];
  const current = new Set<Group>();
  let isInAgents = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/[\r\n]+/)) {
    const [name = '', ...rest] = line.replace(/#.*/s, '').split(':');
    const [field, value] = rest.length > 0 ? [name.trim().toLowerCase(), rest.join(':').trim()] : ['', ''];
    if (field === 'sitemap') sitemaps.push(value);
    if (field === 'user-agent') {
      const agent = value.toLowerCase().replace(/\/.*/s, '');
      if (!isInAgents) current.clear();
      if (agent === product || agent === '*') {
        const group = groups.get(agent) ?? { rules: [], crawlDelay: 0 };
        groups.set(agent, group);
        current.add(group);
      }
    } else if ((field === 'allow' || field === 'disallow') && value !== '') {
      for (const { rules } of current) rules.push({ pattern: encodedPattern(value), isAllowed: field === 'allow' });
    } else if (field === 'crawl-delay') {
      for (const group of current) group.crawlDelay = Number(value);
    }
    if (field !== '' && field !== 'sitemap') isInAgents = field === 'user-agent';
  }
  const { rules = [], crawlDelay = 0 } = groups.get(product) ?? groups.get('*') ?? {};
  const wildcards = rules.filter(({ pattern }) => pattern.includes('*'));
  const wildcardCharacters = wildcards.reduce((sum, { pattern }) => sum + pattern.length, 0);
  return { isAllowed: matcherOf(rules), crawlDelay, sitemaps, wildcardCharacters };
}

/** The longest rule applies; of two with one length, the one that allows. */
function matcherOf(rules: Group['rules']): RobotsRules['isAllowed'] {
  const prefixes = new Map<string, boolean>();
  const wholePaths = new Map<string, boolean>();
  const wildcards = rules
    .filter(({ pattern }) => pattern.includes('*'))
    .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed))
    .map(({ pattern, isAllowed }) => ({ length: pattern.length, isAllowed, parts: pattern.split('*') }));
  for (const { pattern, isAllowed } of rules) {
    if (pattern.includes('*')) continue;
    const [map, text] = pattern.endsWith('$') ? [wholePaths, pattern.slice(0, -1)] : [prefixes, pattern];
    map.set(text, map.get(text) === true || isAllowed);
  }
  const lengths = [...new Set([...prefixes.keys()].map(({ length }) => length))].sort((a, b) => b - a);
  return (url) => {
    const path = encoded(url).replace(/[*$]/g, encodedSign);
    const length = lengths.find((each) => each <= path.length && prefixes.has(path.slice(0, each))) ?? -1;
    const found = [{ length, isAllowed: prefixes.get(path.slice(0, length)) ?? true }];
    const whole = wholePaths.get(path);
    if (whole !== undefined) found.push({ length: path.length + 1, isAllowed: whole });
    const wildcard = wildcards.find(({ parts }) => matches(parts, path));
    if (wildcard) found.push(wildcard);
    const longest = Math.max(...found.map((each) => each.length));
    return found.some((each) => each.length === longest && each.isAllowed);
  };
}

/** @param parts - the parts of a pattern between its wildcards; the last one can end with `$`, the end of the path */
function matches([first = '', ...others]: readonly string[], path: string): boolean {
  if (!path.startsWith(first)) return false;
  const last = others.at(-1) ?? '';
  const isWhole = last.endsWith('$');
  let position = first.length;
  for (const part of isWhole ? others.slice(0, -1) : others) {
    const start = path.indexOf(part, position);
    if (start < 0) return false;
    position = start + part.length;
  }
  return !isWhole || (path.length - position >= last.length - 1 && path.endsWith(last.slice(0, -1)));
}

/** A path whose characters are encoded, but for unreserved ones. https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2 */
function encoded(path: string): string {
  return encodeURI(path)
    .replace(/%25/g, '%')
    .replace(/%[\da-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    });
}

/** A dollar sign that is not the end of a path is a character of it. */
const encodedPattern = (pattern: string): string => encoded(pattern).replace(/\$(?!$)/g, encodedSign);

/** Percent-encodes `*` and `$` in a path, where they are not wildcards. https://www.rfc-editor.org/rfc/rfc9309#section-2.2.3 */
const encodedSign = (sign: string): string => (sign === '*' ? '%2A' : '%24');
