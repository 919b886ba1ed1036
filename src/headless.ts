/**
 * The parts of the compiler for programs that run a site's forms without a browser. They work wherever there is `fetch`.
 * Unlike the other entries, this one may change in a minor version.
 */
export * from './compiler/index.js';
export { annotation } from './compiler/describe/label-text.js';
export { entryList, isCharset, type Entry, type EntryListOptions } from './compiler/execute/entry-list.js';
export type { ControlAssignment } from './compiler/execute/control-assignment.js';
export type { ConvertOptions } from './compiler/execute/convert.js';
export { constraintMessage, joinMessages } from './compiler/execute/error-messages.js';
export { stepsFor } from './compiler/execute/execute-steps.js';
export { expectedText } from './compiler/execute/expected-text.js';
export { hasSensitive, redacted, type ConstraintCode } from './compiler/execute/parameter-error.js';
export { formState, type ControlState } from './compiler/execute/form-state.js';
export { isMultiple } from './compiler/html/decimal.js';
export { applies, controlTypes, temporalTypes, type ControlAttribute } from './compiler/html/elements.js';
export { parseNumber, parseTemporal, type TemporalType } from './compiler/html/microsyntaxes.js';
export { readPageContent, maxPageTextLength } from './compiler/html/page-content.js';
export { isValidPattern, unicodePattern } from './compiler/html/pattern.js';
export { sanitizeText } from './compiler/html/sanitize.js';
export { collapseWhitespace } from './compiler/html/text.js';
export { findJsonError, formatPosition } from './compiler/json-error.js';
export { choicesOf, isOpenSelect, isPlaceholder, isSubmitButton } from './compiler/parameters/choices.js';
export { customSchema } from './compiler/parameters/custom-schema.js';
export { joinSentences } from './compiler/parameters/description-text.js';
export { numberRange, parseNonNegativeInteger } from './compiler/parameters/numbers.js';
export {
  indexControls,
  isMutable,
  parametersByControl,
  unitOf,
  type IndexedControl,
} from './compiler/parameters/parameters.js';
export { isInTemporalRange, temporalLimits } from './compiler/parameters/temporal.js';
export { preview, previewList } from './compiler/preview.js';
export { matchesGrammar } from './compiler/profiles/precise/text.js';
export { redactForm } from './compiler/profiles/redact.js';
export { resolveSynthesis } from './compiler/profiles/synthesize.js';
export { makeParameter, parametersOf, type Synthesis } from './compiler/tool.js';
export { ancestors, descendants } from './compiler/tree.js';
export { canonicalJson, exceedsDepth, isRecord, maxJsonDepth, type JsonRecord } from './json.js';
export { LinearPattern, UnsupportedPatternError } from './linear-pattern.js';
export { parsePage, type Parse5Element, type Parse5Node, type Parse5Page } from './parse5/parse5-tree.js';
export { isLoopback, isPrivateHost, isPublicAddress } from './site/pages/addresses.js';
export { createDecoder, decodeBytes } from './site/pages/charset.js';
export { pathProblem } from './site/pages/page-path.js';
export { findToolForms } from './site/tools/find-tool-form.js';
export { hasPasswordInput, isLoginPath } from './site/tools/password-input.js';
export { hashOf, webtoolHash } from './webtool-client/hash.js';
