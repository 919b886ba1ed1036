/**
 * Submits forms as a browser does, without a browser. Works wherever `fetch` exists. Unlike the other entry points, this one
 * may change in a minor version.
 */
export { toBase64, toBase64url } from '@exodus/bytes/base64.js';
export type { ControlDescription, FormDescription } from '../compiler/description.js';
export type { ConstraintCode } from '../compiler/input/parameter-error.js';
export { controlTypes } from '../compiler/html/elements.js';
export { findJsonError, formatPosition } from '../compiler/json-error.js';
export { isSubmitButton } from '../compiler/parameters/parameters.js';
export { joinSentences, namingText } from '../compiler/parameters/description-text.js';
export { indexControls } from '../compiler/parameters/parameters.js';
export { preview, previewList } from '../compiler/preview.js';
export type { Sensitive } from '../compiler/profiles/synthesize.js';
export { synthesizeParameters, synthesizeTool, type ProfileName } from '../compiler/profiles/synthesize.js';
export type { JsonSchema, JsonValue } from '../json-schema.js';
export { canonicalJson, isRecord, parseJson, type JsonRecord } from '../json.js';
export { oncePerObject } from '../lazy.js';
export { isLoopback, isPrivateHost } from '../http/addresses.js';
export { readBody } from '../http/body.js';
export {
  followRedirects,
  hasCode,
  pageHop,
  sendHop,
  type Fetch,
  type Hop,
  type HttpClient,
  type HttpErrors,
  type HttpResponse,
} from '../http/client.js';
export { mergeCookies, parseCookies, SessionCookies } from '../http/cookies.js';
export { startDeadline, type Deadline } from '../http/deadline.js';
export { globExcess } from '../site/pages/glob.js';
export { pathProblem, percentDecode, urlOf } from '../site/pages/page-path.js';
export { hashOf, webtoolHash } from '../webtool-client/hash.js';
export {
  configurableControls,
  configuredAssignments,
  configuredHeaders,
  isRequiredSecret,
  missingSecrets,
  type SubmitConfig,
} from './config.js';
export { destructiveVerbOf } from '../wording/destructive.js';
export type { Download } from './download.js';
export { WorkBudget } from './constraints/pattern.js';
export { submissionOf, type FormRequest } from './form-request.js';
export { exceedsValueCount, findDuplicateKey, textExceedsDepth } from './json-text.js';
export { descriptionOf, pageUrl, type KnownTool } from './known-tool.js';
export { isStillOffered, type OfferedForm, type OfferOptions } from './page/offered-forms.js';
export {
  inlineReader,
  readAnswer,
  ReadError,
  type AnswerTask,
  type PageReader,
  type SiteAnswer,
} from './page/page-reader.js';
export { createPageRequest, type PageRequest, type PageTask } from './page/page-request.js';
export { readForm, type FormValues, type PageSearch } from './page/page-form.js';
export { siteText, type SiteResponse } from './response.js';
export { displayUrl } from './secrets/display-url.js';
export { SecretSearch } from './secrets/secret-search.js';
export { credentialsOf, givenTexts } from './secrets/sent-secrets.js';
export {
  CodedError,
  type CodedErrorOptions,
  SubmissionError,
  type InputError,
  type SubmissionErrorCode,
} from './submission-error.js';
export {
  prepareContinuation,
  prepareReading,
  prepareSubmission,
  type Call,
  type Prepared,
  type SubmissionOptions,
} from './submit-form.js';
