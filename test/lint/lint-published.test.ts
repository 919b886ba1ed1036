import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { lint } from '../../src/build.js';
import { publishedPages } from '../support/lint/lint-pages.js';

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
