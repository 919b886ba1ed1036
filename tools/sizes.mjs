import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** An entry's chunk with every chunk that it imports statically. */
function withImports(chunk, chunks, found = new Set()) {
  if (!chunk || found.has(chunk)) return found;
  found.add(chunk);
  for (const name of chunk.imports) withImports(chunks.get(name), chunks, found);
  return found;
}

/** Prints what each entry costs a page: its own file and the chunks that it shares, each compressed as it is sent. */
export function printSizes(output) {
  console.log(`${'entry'.padEnd(32)}${'bytes'.padStart(9)}${'gzip'.padStart(9)}`);
  for (const { name, raw, gzip } of entrySizes(output))
    console.log(`${name.padEnd(32)}${String(raw).padStart(9)}${String(gzip).padStart(9)}`);
}

const sizes = new URL('script-sizes.json', import.meta.url);

/** The entries of a build, each with the bytes of all that it imports statically, raw and compressed. */
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

const compressed = (file) => gzipSync(file, { level: 9 }).length;
const elementLimit = 8000;

/**
 * Throws when a script, or an element without Lit, is not exactly as large as was decided (its bytes do not depend on the
 * version of zlib), or an element is too large.
 */
export function checkSizes(scripts, elements) {
  if (process.argv.includes('--any-size')) return;
  const entries = elements.flatMap(entrySizes);
  const heavy = entries.filter(({ gzip }) => gzip > elementLimit);
  if (heavy.length > 0)
    throw new Error(
      `${heavy.map(({ name, gzip }) => `${name} has ${gzip} bytes gzip`).join('; ')}: an element has at most ${elementLimit}.`,
    );
  const found = Object.fromEntries([
    ...scripts.map(({ fileName, code }) => [fileName, Buffer.byteLength(code)]),
    ...entries.map(({ name, raw }) => [name, raw]),
  ]);
  if (process.argv.includes('--accept-sizes')) writeFileSync(sizes, `${JSON.stringify(found, undefined, 2)}\n`);
  const decided = JSON.parse(readFileSync(sizes, 'utf8'));
  const wrong = Object.entries(found).filter(([name, size]) => size !== decided[name]);
  if (wrong.length === 0) return;
  const list = wrong.map(([name, size]) => `${name} has ${size} bytes, not ${decided[name]}`).join('; ');
  throw new Error(`${list}. If every byte is meant, say so: npm run build -- --accept-sizes`);
}

/** Throws when a script cannot stand inline in a page. */
export function checkInline(scripts) {
  for (const { fileName, code } of scripts) {
    const [found] = /<\/script|<!--/i.exec(code) ?? [];
    if (found)
      throw new Error(`${fileName} holds ${found}, which ends or hides it in a page. Write that in two pieces.`);
  }
}
