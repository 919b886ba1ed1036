export { suggestAnnotations } from './suggest.js';
export type {
  Confidence,
  FormSuggestion,
  OriginKind,
  ParameterSuggestion,
  SensitiveForm,
  SuggestedText,
  SuggestOptions,
  TextOrigin,
} from './suggestion.js';
