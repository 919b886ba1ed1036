import { componentLinter } from '../../annotate/files/lint-components.js';
import { isComponentFile } from '../../annotate/templates/file-kinds.js';
import type { Finding } from '../../lint/finding.js';
import { linter } from '../../lint/lint-pages.js';
import { ruleCodes, type RuleLevels } from '../../lint/rules/rules.js';
import { defaultPageTimeoutMs } from '../../site/limits.js';
import { readPageFile } from '../../site/pages/page-encoding.js';
import { createRunner } from '../../site/workers/process-pages.js';
import { problemsAt, type Problem } from '../problems.js';
import type { CompiledPage } from '../site.js';
import { isOfProject } from './apply.js';

/** The findings of a file with components, and their places in the file. */
interface LintedComponent {
  readonly findings: readonly Finding[];
  readonly problems: readonly Problem[];
}

interface ComponentLinter {
  /** Whether a module is a component of the project. IDs with a query are parts of a component. */
  readonly has: (id: string, root: string) => boolean;
  readonly lint: (file: string) => Promise<LintedComponent>;
}

/** Reports controls without a name in components. With `isSuggesting`, also reports forms without annotations. */
export function createComponentLinter(isSuggesting: boolean): ComponentLinter {
  const runner = createRunner(componentLinter, { jobs: 1, timeoutMs: defaultPageTimeoutMs });
  const levels: RuleLevels = {
    'missing-parameter-name': 'warning',
    'form-without-tool': isSuggesting ? 'info' : 'off',
  };
  const rules: RuleLevels = { ...Object.fromEntries(ruleCodes.map((code) => [code, 'off'])), ...levels };
  return {
    has: (id, root) => isComponentFile(id) && isOfProject(id, root),
    async lint(file) {
      const content = await readPageFile(file, file).catch(() => undefined);
      if (content === undefined) return { findings: [], problems: [] };
      const outcome = await runner.run({ content, file, options: { path: file, rules } });
      const findings = 'result' in outcome ? outcome.result.findings : [];
      const page = { html: content, page: { path: file, tools: [], diagnostics: [] }, file: undefined };
      return { findings, problems: await problemsAt(findings, page, unread) };
    },
  };
}

/** Skips the search for findings in the source file, because the findings already belong to it. */
const unread = { read: () => Promise.resolve([]), identityOf: () => '' };

const rule = 'form-without-tool';
const rules: RuleLevels = Object.fromEntries(ruleCodes.map((code) => [code, code === rule ? 'info' : 'off']));

export interface Suggester {
  /** The suggestions for the forms of a page without annotations. Lint comments can disable them. */
  readonly suggest: (page: CompiledPage) => Promise<readonly Finding[]>;
  /** The suggestions of a page, with their places in the source file if this file has the same forms. */
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
