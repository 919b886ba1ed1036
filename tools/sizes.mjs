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
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  console.log(`${'entry'.padEnd(28)}${'bytes'.padStart(9)}${'gzip'.padStart(9)}`);
  for (const entry of [...chunks.values()].filter(({ isEntry }) => isEntry)) {
    const files = [...withImports(entry, chunks)].map(({ code }) => Buffer.from(code));
    const raw = files.reduce((sum, file) => sum + file.length, 0);
    const gzip = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
    console.log(`${entry.fileName.padEnd(28)}${String(raw).padStart(9)}${String(gzip).padStart(9)}`);
  }
}

const sizes = new URL('script-sizes.json', import.meta.url);

/** Throws when a classic script is not exactly as large as was decided; its bytes do not depend on the version of zlib. */
export function checkSizes(scripts) {
  const found = Object.fromEntries(scripts.map(({ fileName, code }) => [fileName, Buffer.byteLength(code)]));
  if (process.argv.includes('--any-size')) return;
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
