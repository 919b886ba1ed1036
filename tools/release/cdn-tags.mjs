import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root } from '../run.mjs';

const page = 'docs/reference/scripts.md';
const cdn = 'https://cdn.jsdelivr.net/npm/webmcp-forms';
const block = /(<!-- The release writes these tags. -->\n\n)```html\n[^]*?```\n/;

/** The text of the page with the script tags of a version and the hashes of its build. */
export function withCdnTags(text, version, hashes) {
  const [script, agent, full] = ['iife', 'agent', 'full.iife'].map((part) => `webmcp-forms.${part}.js`);
  const hashOf = (file) => {
    if (/^sha384-[\w+/]{64}$/.test(hashes[file] ?? '')) return hashes[file];
    throw new Error(`dist/integrity.json has no hash of ${file}. Run npm run build.`);
  };
  const tag = (file, more) =>
    [
      '<script',
      `  src="${cdn}@${version}/dist/${file}"`,
      `  integrity="${hashOf(file)}"`,
      ...more,
      '  crossorigin',
      '></script>',
    ].join('\n');
  const tags = [tag(script, [`  data-integrity="${hashOf(agent)}"`]), `<!-- Both scripts in one -->\n${tag(full, [])}`];
  if (!block.test(text)) throw new Error(`${page} has no block for the tags of a CDN. Restore its comment.`);
  return text.replace(block, (_, comment) => `${comment}\`\`\`html\n${tags.join('\n\n')}\n\`\`\`\n`);
}

/** Writes the tags to the page after the build of a release, whose files are published unchanged. */
function writeTags() {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const { version } = JSON.parse(read('package.json'));
  writeFileSync(join(root, page), withCdnTags(read(page), version, JSON.parse(read('dist/integrity.json'))));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await Promise.resolve().then(writeTags).catch(fail);
