import { readFileSync } from 'node:fs';

const prefix = 'npx webmcp-forms ';

/** The arguments of the commands of a guide, with the address of a running site. */
export function guideCommands(guide: string, site: string): readonly (readonly string[])[] {
  const text = readFileSync(new URL(`../../../docs/recipes/${guide}.md`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  return blocks
    .flatMap((code) => code.split('\n'))
    .filter((line) => line.startsWith(prefix))
    .map((line) => line.slice(prefix.length).replaceAll('http://localhost:8000/', site))
    .map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain));
}

/** The commands of a guide that begin with a name, such as `compile`. */
export const commandsOf = (guide: string, name: string, site = ''): readonly (readonly string[])[] =>
  guideCommands(guide, site).filter(([command]) => command === name);
