export type { Diagnostic, DiagnosticCode, ProfileName, Sensitive } from './compiler/index.js';
export { compileHtml, type CompileOptions } from './site/compile-html.js';
export type { ChangeCode, ChangeKind, ManifestChange, SchemaChange } from './diff/change.js';
export { diff } from './diff/diff.js';
export {
  createManifest,
  type Manifest,
  type ManifestAnnotations,
  type ManifestForm,
  type ManifestOptions,
  type ManifestPage,
  type ManifestTool,
} from './site/manifest/manifest.js';
export { parseManifest, readManifest } from './site/manifest/read-manifest.js';
export {
  readSite,
  type PageProblem,
  type ProblemKind,
  type ReadSiteOptions,
  type ServedPage,
  type ServedSite,
  type SiteLogin,
} from './crawl/index.js';
export { types } from './types/types.js';
export { UsageError } from './site/usage-error.js';
export type { Finding } from './lint/finding.js';
export { lint, lintPage, lintSite, type LintedPage, type PageFindings } from './lint/lint.js';
export type { LintOptions } from './lint/read-page.js';
export type { Place } from './lint/page/place.js';
export type { Fix, RuleLevel, Severity } from './lint/rules/rule.js';
export type { RuleCode, RuleLevels } from './lint/rules/rules.js';
