import type { AnnotatedFile } from '../files/annotate-files.js';
import type { FormAnnotation, UnsafeForm } from '../form-annotation.js';
import { exclusionOf, type Choice } from '../site-tools.js';

/** A form that is not annotated, with the reason. */
export interface ExcludedForm extends FormAnnotation {
  readonly exclusion: 'sensitive' | 'confidence';
}

export interface FilePlan {
  readonly file: AnnotatedFile;
  readonly chosen: readonly FormAnnotation[];
  /**
   * The forms that are not annotated, because a person should submit them, or the page has too little information about them.
   */
  readonly excluded: readonly ExcludedForm[];
  /** The forms that a person has to change before they can be annotated. */
  readonly unsafe: readonly UnsafeForm[];
}

export function planFile(file: AnnotatedFile, choice: Choice): FilePlan {
  const chosen: FormAnnotation[] = [];
  const excluded: ExcludedForm[] = [];
  const unsafe: UnsafeForm[] = [...file.unsafe];
  for (const form of file.forms) {
    const exclusion = exclusionOf(form, choice);
    if (exclusion === undefined) chosen.push(form);
    else if (exclusion === 'findings')
      unsafe.push({ line: form.line, column: form.column, reason: findingsReason(form) });
    else excluded.push({ ...form, exclusion });
  }
  unsafe.sort((one, other) => one.line - other.line || one.column - other.column);
  return { file, chosen, excluded, unsafe };
}

const findingsReason = ({ problems }: FormAnnotation): string =>
  `As a tool, the form would have findings of lint. Correct it, or add --with-findings. ${[...new Set(problems)].join(' ')}`;

interface PlanTally {
  readonly files: number;
  readonly forms: number;
  readonly low: number;
  readonly sensitive: number;
  readonly unsafe: number;
  readonly unreadable: number;
}

export function tallyPlans(plans: readonly FilePlan[]): PlanTally {
  const chosen = plans.flatMap((plan) => plan.chosen);
  const excluded = plans.flatMap((plan) => plan.excluded);
  return {
    files: plans.length,
    forms: chosen.length,
    low: chosen.filter(({ confidence }) => confidence === 'low').length,
    sensitive: excluded.filter(({ exclusion }) => exclusion === 'sensitive').length,
    unsafe: plans.flatMap((plan) => plan.unsafe).length,
    unreadable: plans.filter(({ file }) => file.problem !== undefined).length,
  };
}
