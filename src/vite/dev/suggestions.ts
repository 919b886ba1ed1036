import type { Finding } from '../../lint/finding.js';
import { linter } from '../../lint/lint-pages.js';
import { ruleCodes, type RuleLevels } from '../../lint/rules/rules.js';
import { createRunner } from '../../site/workers/process-pages.js';
import { defaultPageTimeoutMs } from '../../site/limits.js';
import { problemsAt, type Problem } from '../problems.js';
import type { CompiledPage } from '../site.js';

const rule = 'form-without-tool';
const rules: RuleLevels = Object.fromEntries(ruleCodes.map((code) => [code, code === rule ? 'info' : 'off']));

export interface Suggester {
  /** The suggestions for the forms of a page without annotations. Comments of lint disable them. */
  readonly suggest: (page: CompiledPage) => Promise<readonly Finding[]>;
  /** The suggestions of a page with their places in the source file, if it has the same forms. */
  readonly problemsOf: (page: CompiledPage, findings: readonly Finding[]) => Promise<readonly Problem[]>;
}

export function createSuggester(): Suggester {
  const runner = createRunner(linter, { jobs: 1, timeoutMs: defaultPageTimeoutMs });
  const known = new WeakMap<CompiledPage['page'], readonly Finding[]>();
  const read = async (path: string, content: string): Promise<readonly Finding[]> => {
    const outcome = await runner.run({ content, options: { path, rules }, isFixing: false, showsLines: false });
    return 'problem' in outcome ? [] : outcome.result.page.findings.filter(({ code }) => code === rule);
  };
  return {
    async suggest({ page, html }) {
      const findings = known.get(page) ?? (await read(page.path, html));
      known.set(page, findings);
      return findings;
    },
    problemsOf: (page, findings) =>
      problemsAt(findings, page, { read: (text) => read(page.page.path, text), identityOf: ({ message }) => message }),
  };
}
