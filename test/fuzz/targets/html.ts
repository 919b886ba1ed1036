import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import ts from 'typescript';
import { profileNames, type ProfileName, type Sensitive } from '../../../src/compiler/index.js';
import { compileHtml } from '../../../src/site/compile-html.js';
import {
  createManifest,
  type Manifest,
  type ManifestPage,
  type ManifestTool,
} from '../../../src/site/manifest/manifest.js';
import { manifestText } from '../../../src/site/manifest/manifest.js';
import { parseManifest } from '../../../src/site/manifest/read-manifest.js';
import { lint } from '../../../src/lint/lint.js';
import { types } from '../../../src/types/types.js';
import { page } from '../generators/html.js';
import { hold, sequential, type Target } from '../target.js';

/** HTML to manifest: every page compiles in every profile to a valid manifest, diagnostics, findings and types. */
export const html: Target<string> = {
  name: 'html',
  cases: page,
  batch: 250,
  open: () => Promise.resolve(sequential(check)),
};

const sensitives: readonly Sensitive[] = ['include', 'exclude'];

/** One in this many pages is also checked by the slow invariants. */
const rare = 8;

async function check(source: string): Promise<void> {
  for (const profile of profileNames) {
    for (const sensitive of profile === 'precise' ? sensitives : sensitives.slice(1)) {
      const compiled = compileHtml(source, { path: 'page', profile, sensitive });
      await checkPage(compiled, profile, sensitive);
      if (source.length % rare === 0) checkSlowly(source, compiled, profile, sensitive);
    }
  }
  checkFindings(source);
}

async function checkPage(compiled: ManifestPage, profile: ProfileName, sensitive: Sensitive): Promise<void> {
  const text = JSON.stringify(compiled);
  hold(isDeepStrictEqual(JSON.parse(text), compiled), 'a compiled page is JSON', text);
  for (const { message, severity } of compiled.diagnostics) {
    hold(
      /^.{5,3000}$/s.test(message) && /^(error|warning|info)$/.test(severity),
      'a diagnostic has a message',
      message,
    );
  }
  const manifest = manifestOf(compiled, profile, sensitive);
  const written = await writtenBy(manifest);
  hold(isDeepStrictEqual(parseManifest(written, 'file'), manifest), 'a manifest is read as it was written', written);
}

const manifestOf = (compiled: ManifestPage, profile: ProfileName, sensitive: Sensitive): Manifest =>
  createManifest([compiled], { name: 'site', description: '', version: '1.0.0', profile, sensitive });

async function writtenBy({ pages, ...metadata }: Manifest): Promise<string> {
  let text = '';
  for await (const part of manifestText(metadata, pages)) text += part;
  return text;
}

const ajv = new Ajv2020({ strict: true });
formats.default(ajv);

/** Schemas that the page's author wrote are not the compiler's. */
const isOwnSchema = ({ form }: ManifestTool): boolean => !!form && !form.controls.some(({ type }) => type === 'custom');

function checkSlowly(source: string, compiled: ManifestPage, profile: ProfileName, sensitive: Sensitive): void {
  hold(
    isDeepStrictEqual(compileHtml(source, { path: 'page', profile, sensitive }), compiled),
    'compiling a page again has the same result',
  );
  if (profile !== 'chromium') for (const tool of compiled.tools.filter(isOwnSchema)) checkSchema(tool);
  const text = types(manifestOf(compiled, profile, sensitive));
  const file = ts.createSourceFile('types.d.ts', text, ts.ScriptTarget.Latest);
  const { parseDiagnostics = [] } = file as { parseDiagnostics?: readonly ts.Diagnostic[] };
  hold(parseDiagnostics.length === 0, 'generated types are TypeScript', text);
}

function checkSchema({ inputSchema }: ManifestTool): void {
  try {
    ajv.compile(inputSchema);
  } catch (error) {
    hold(false, 'a schema compiles in Ajv strict', `${String(error)} ${JSON.stringify(inputSchema)}`);
  } finally {
    ajv.removeSchema(inputSchema);
  }
}

function checkFindings(source: string): void {
  const lines = source.split(/\r\n?|\n/).length;
  for (const { message, location } of lint(source, { path: 'page' })) {
    const { line = 1, column = 1 } = location ?? {};
    hold(line >= 1 && line <= lines && column >= 1, 'a finding is in the page', `${line}:${column} ${message}`);
  }
}
