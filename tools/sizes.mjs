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
