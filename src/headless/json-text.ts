/** Whether text, possibly invalid JSON, is nested more deeply than `levels`. Parsing deep JSON may overflow the stack. */
export function textExceedsDepth(text: string, levels: number): boolean {
  for (let [at, depth] = [0, 0]; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at + 1) - 1;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > levels) return true;
  }
  return false;
}

/** Whether text, possibly invalid JSON, has more values than `limit`. A short string can contain millions of values. */
export function exceedsValueCount(text: string, limit: number): boolean {
  for (let [at, count] = [0, 1]; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at + 1) - 1;
    else if (character === '[' || character === '{' || character === ',') count++;
    if (count > limit) return true;
  }
  return false;
}

/** Returns the index after the closing quotation mark, or the length of the text if the string does not end. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    if (!isEscaped(text, at)) return at + 1;
  }
}

function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text.charAt(start - 1) === '\\') start--;
  return (index - start) % 2 === 1;
}

interface DuplicateKey {
  readonly name: string;
  readonly index: number;
}

/**
 * The second occurrence of a key in valid JSON. `JSON.parse` uses the last value of a key, other parsers use the first.
 */
export function findDuplicateKey(text: string): DuplicateKey | undefined {
  const outer: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined; // of the innermost object; undefined in an array
  for (let [at, isName] = [0, false]; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '{' || character === '[') outer.push(names);
    if (character === '{') names = new Set();
    else if (character === '[') names = undefined;
    else if (character === '}' || character === ']') names = outer.pop();
    if (character === '{' || character === ',') isName = true;
    if (character !== '"') continue;
    const end = endOfString(text, at + 1);
    const name = names && isName ? (JSON.parse(text.slice(at, end)) as string) : undefined;
    if (name !== undefined && names?.has(name)) return { name, index: at };
    if (name !== undefined) names?.add(name);
    [at, isName] = [end - 1, false];
  }
  return undefined;
}
