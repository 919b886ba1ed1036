// @module-tag long
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import type { DiagnosticCode } from '../../src/compiler/index.js';
import { toolNamePattern } from '../../src/tool-name.js';
import { corpus } from '../corpus.mjs';
import { problemsOf, suggestionsOf } from './suggested.js';

const fixtures = new URL('../fixtures/suggestions/', import.meta.url);
const expectedFile = new URL('suggestions.json', fixtures);

const pages = readdirSync(fixtures)
  .filter((file) => file.endsWith('.html'))
  .sort()
  .map((file) => ({ file, html: readFileSync(new URL(file, fixtures), 'utf8') }));

/** The faults of a form's markup, which suggestions cannot change. */
const ofMarkup: ReadonlySet<string> = new Set<DiagnosticCode>([
  'missing-submit-button',
  'missing-parameter-name',
  'missing-parameter-description',
  'unreachable-required-control',
  'duplicate-parameter-name',
  'no-options',
  'invalid-pattern',
  'unsupported-pattern',
]);

/** Lint's warnings about texts of the page. */
const ofPageTexts = /^The (?:label|legend|text of)|hidden|description of the parameter has/;

/** Findings that suggestions cause. */
const causedProblems = (html: string): readonly string[] =>
  problemsOf(html)
    .filter(({ code, message }) => !ofMarkup.has(code) && !ofPageTexts.test(message))
    .map(({ code, message }) => `${code}: ${message}`);

const shown = (html: string): readonly (Readonly<Record<string, unknown>> | null)[] =>
  suggestionsOf(html).map((suggestion) => {
    if (!suggestion) return null;
    const { confidence, sensitive, toolName, toolTitle, toolDescription, autosubmit, parameters } = suggestion;
    return {
      confidence,
      ...(sensitive && { sensitive }),
      toolname: toolName.value,
      tooltitle: toolTitle?.value,
      tooldescription: toolDescription.value,
      ...(autosubmit && { autosubmit }),
      from: toolName.origins.map(({ kind, text }) => `${kind}: ${text}`),
      ...(parameters.length > 0 && {
        parameters: Object.fromEntries(parameters.map(({ parameter, description }) => [parameter, description.value])),
      }),
    };
  });

describe('suggestAnnotations on published pages', () => {
  it('suggests the expected annotations for the forms of templates', () => {
    const actual: unknown = JSON.parse(
      JSON.stringify(Object.fromEntries(pages.map(({ file, html }) => [file, shown(html)]))),
    );
    if (process.env['UPDATE_SUGGESTIONS']) writeFileSync(expectedFile, `${JSON.stringify(actual, null, 2)}\n`);
    assert.deepEqual(actual, JSON.parse(readFileSync(expectedFile, 'utf8')));
  });

  it('raises no finding of lint for the forms of templates', () => {
    assert.deepEqual(
      pages.flatMap(({ file, html }) => causedProblems(html).map((problem) => `${file}: ${problem}`)),
      [],
    );
  });

  it('suggests valid, short and distinct annotations for every form of govuk-frontend and USWDS, without findings of lint', () => {
    const problems: string[] = [];
    for (const { name, page } of corpus().published) {
      const html = page.replace(/<form toolname="[^"]*" tooldescription="[^"]*"/g, '<form method="post"');
      const suggestions = suggestionsOf(html).filter((each) => each !== null);
      const names = suggestions.map(({ toolName }) => toolName.value);
      assert.equal(new Set(names).size, names.length, name);
      for (const { toolName, toolDescription, toolTitle } of suggestions) {
        assert.match(toolName.value, toolNamePattern, name);
        assert.ok(toolName.value.length <= 30, name);
        assert.ok(toolDescription.value.length <= 500 && /[.!?。…]$/.test(toolDescription.value), name);
        assert.ok((toolTitle?.value.length ?? 0) <= 60, name);
      }
      problems.push(...causedProblems(html).map((problem) => `${name}: ${problem}`));
    }
    assert.deepEqual(problems, []);
  });
});
