import type { Confidence } from '../suggest/index.js';
import type { FormAnnotation } from './form-annotation.js';

export interface Choice {
  readonly minConfidence: Confidence;
  readonly includeSensitive: boolean;
  readonly withFindings: boolean;
}

/** The reason why a form is not annotated; undefined if it is annotated. */
export function exclusionOf(
  { problems, sensitive, confidence }: FormAnnotation,
  { minConfidence, includeSensitive, withFindings }: Choice,
): 'findings' | 'sensitive' | 'confidence' | undefined {
  if (sensitive && !includeSensitive) return 'sensitive';
  if (rank[confidence] < rank[minConfidence]) return 'confidence';
  return problems.length > 0 && !withFindings ? 'findings' : undefined;
}

const rank: Readonly<Record<Confidence, number>> = { low: 0, medium: 1, high: 2 };

/** The tools of earlier pages. Different tools of a site get different names. */
export interface SiteTools {
  /** The contents of the tools by name. */
  readonly known: ReadonlyMap<string, string>;
  /** The criteria for the forms to annotate. Other forms do not reserve names. */
  readonly choice: Choice;
}

export const isWanted = (form: FormAnnotation, choice: Choice): boolean => exclusionOf(form, choice) === undefined;

/** Whether another tool has the name of a form that is going to be annotated. */
export const hasConflict = (forms: readonly FormAnnotation[], { known, choice }: SiteTools): boolean =>
  forms.some((form) => (known.get(form.name) ?? form.content) !== form.content && isWanted(form, choice));

/** The names of other tools, except tools that equal a form of the page and share its name. */
export function takenNames(forms: readonly FormAnnotation[], { known }: SiteTools): Set<string> {
  const taken = new Set(known.keys());
  for (const { name, content } of forms) if (known.get(name) === content) taken.delete(name);
  return taken;
}
