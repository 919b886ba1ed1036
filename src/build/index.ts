export type { Diagnostic, DiagnosticCode, ProfileName, Sensitive } from '../compiler/index.js';
export { compileHtml, type CompileOptions } from './compile-html.js';
export {
  createManifest,
  type Manifest,
  type ManifestAnnotations,
  type ManifestForm,
  type ManifestOptions,
  type ManifestPage,
  type ManifestTool,
} from './manifest.js';
export { UsageError } from './usage-error.js';
