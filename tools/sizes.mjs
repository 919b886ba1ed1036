import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** An entry's chunk and every chunk that it imports statically. */
function withImports(chunk, chunks, found = new Set()) {
  if (!chunk || found.has(chunk)) return found;
  found.add(chunk);
  for (const name of chunk.imports) withImports(chunks.get(name), chunks, found);
  return found;
}

const compressed = (file) => gzipSync(file, { level: 9 }).length;

/** The raw and compressed size of each entry of a build, including its static imports. */
function entrySizes(output) {
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  return [...chunks.values()]
    .filter(({ isEntry }) => isEntry)
    .map((entry) => {
      const files = [...withImports(entry, chunks)].map(({ code }) => Buffer.from(code));
      const sum = (size) => files.reduce((total, file) => total + size(file), 0);
      return { name: entry.fileName, raw: sum((file) => file.length), gzip: sum(compressed) };
    });
}

/** Prints the raw and the compressed size of each entry of a build. */
export function printSizes(output) {
  console.log(`${'entry'.padEnd(32)}${'bytes'.padStart(9)}${'gzip'.padStart(9)}`);
  for (const { name, raw, gzip } of entrySizes(output))
    console.log(`${name.padEnd(32)}${String(raw).padStart(9)}${String(gzip).padStart(9)}`);
}

const budgetFile = 'tools/size-budgets.json';

/** Throws if the gzipped size of an entry exceeds its budget in bytes, or an entry has no budget. */
export function checkSizes(builds) {
  const budgets = JSON.parse(readFileSync(new URL('size-budgets.json', import.meta.url), 'utf8'));
  const problems = builds.flatMap(entrySizes).flatMap(({ name, gzip }) => {
    const budget = budgets[name];
    if (budget === undefined) return [`${name} has no budget`];
    return gzip > budget ? [`${name} has ${gzip} bytes gzip, and its budget is ${budget}`] : [];
  });
  if (problems.length === 0) return;
  throw new Error(`${problems.join('; ')}. Make it smaller, or change ${budgetFile}.`);
}

/** Throws if a script contains text that would end or hide an inline script. */
export function checkInline(scripts) {
  for (const { fileName, code } of scripts) {
    const [found] = /<\/script|<!--/i.exec(code) ?? [];
    if (found) throw new Error(`${fileName} contains ${found}, which breaks an inline script. Split the string.`);
  }
}
