// @module-tag long
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { lint } from '../../src/build.js';
import { corpus } from '../corpus.mjs';

/** A published page with the annotations of a site author. */
interface PublishedPage {
  readonly name: string;
  readonly html: string;
}

const annotations = / toolname="[^"]*" tooldescription="[^"]*"/;

/**
 * The pages of govuk-frontend and USWDS. A form with a question is named after its component, described by the question,
 * and has a submit button. The other forms have no annotations.
 */
const publishedPages = (): readonly PublishedPage[] =>
  corpus().published.map(({ name, page }) => {
    const question = questionOf(page);
    if (question === '') return { name, html: page.replace(annotations, '') };
    const description = `Sends the answer of one person to the question: ${question}`;
    const html = page.replace(annotations, () => ` toolname="${toolNameOf(name)}" tooldescription="${description}"`);
    return { name, html: hasSubmitButton(html) ? html : html.replace(/<\/form>/, '<button>Continue</button></form>') };
  });

const toolNameOf = (name: string): string =>
  `fill_${name.split(' ').slice(1, 3).join('_')}`.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 30);

/** The first legend or label of a form. */
function questionOf(page: string): string {
  const [, , content = ''] = /<(legend|label)\b[^>]*>([\s\S]*?)<\/\1>/.exec(page) ?? [];
  const text = content.replace(/<[^>]*>/g, ' ').replace(/[\s"&]+/g, ' ');
  return text.trim().slice(0, 100);
}

const hasSubmitButton = (html: string): boolean =>
  /<button\b(?![^>]*\btype="?(?:button|reset))(?![^>]*\bdisabled)|<input\b[^>]*type="?submit/.test(html);

const fixture = new URL('../fixtures/lint/published.json', import.meta.url);

/** The number of findings of each rule, and its first finding in each of up to three components. */
function survey(): Record<string, { count: number; findings: string[] }> {
  const rules = new Map<string, { count: number; findings: string[]; components: Set<string> }>();
  for (const { name, html } of publishedPages()) {
    for (const { code, severity, message, parameter } of lint(html, {
      path: name,
      rules: { 'form-without-tool': 'info' },
    })) {
      const rule = rules.get(code) ?? { count: 0, findings: [], components: new Set<string>() };
      const component = name.split(' ').slice(0, 2).join(' ');
      rule.count++;
      if (rule.findings.length < 3 && !rule.components.has(component))
        rule.findings.push(`${name}: ${severity} ${message}${parameter ? ` (${parameter})` : ''}`);
      rule.components.add(component);
      rules.set(code, rule);
    }
  }
  const sorted = [...rules].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([code, { count, findings }]) => [code, { count, findings }]));
}

it('lint reports the reviewed findings on the pages of govuk-frontend and USWDS', () => {
  if (process.env['UPDATE_LINT']) writeFileSync(fixture, `${JSON.stringify(survey(), null, 2)}\n`);
  assert.deepEqual(survey(), JSON.parse(readFileSync(fixture, 'utf8')));
});
