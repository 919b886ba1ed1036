import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('cases/', import.meta.url);

const readGroup = (kind, file) => {
  const { source, cases } = JSON.parse(readFileSync(new URL(`${kind}/${file}`, folder), 'utf8'));
  return cases.map((each) => ({ group: file.replace(/\.json$/, ''), kind, source, ...each }));
};

/** The cases of a kind, `tools` or `calls`, each with its group and its source. */
export const casesOf = (kind) =>
  readdirSync(new URL(kind, folder))
    .sort()
    .flatMap((file) => readGroup(kind, file));

export const allCases = () => [...casesOf('tools'), ...casesOf('calls')];
