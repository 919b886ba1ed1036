import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import { root } from './run.mjs';

const sourceOf = (file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ES2022, true);

/** The custom elements manifest of the package, as text: https://github.com/webcomponents/custom-elements-manifest */
export function elementManifest() {
  const names = readdirSync(join(root, 'elements')).filter((name) => /^webmcp-.*\.ts$/.test(name));
  const modules = names.map((name) => sourceOf(`elements/${name}`));
  const manifest = create({ modules, plugins: litPlugin(), context: { dev: false } });
  for (const declaration of manifest.modules.flatMap(({ declarations }) => declarations)) {
    declaration.events = declaration.events?.filter(({ name }) => name); // excludes events whose names are computed
  }
  const text = JSON.stringify(manifest, undefined, 2);
  return `${text.replaceAll(/"\/?elements\/([\w-]+)\.(?:ts|js)"/g, '"dist/elements/$1.js"')}\n`;
}
