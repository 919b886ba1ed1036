import { printableJson } from '../../site/printable.js';
import type { FormAnnotation } from '../form-annotation.js';
import { tallyPlans, type FilePlan } from './choose-forms.js';

/** One object with a summary, the suggestions and the forms that cannot be annotated, one per line. */
export function* jsonOf(plans: readonly FilePlan[], isWritten: (plan: FilePlan) => boolean): Generator<string> {
  yield `{\n  "summary": ${JSON.stringify(tallyPlans(plans))},\n  "forms": [`;
  yield* listOf(plans.flatMap((plan) => formsOf(plan, isWritten(plan))));
  yield `],\n  "notAnnotated": [`;
  yield* listOf(
    plans.flatMap(({ file: { input, problem }, unsafe }) => [
      ...(problem === undefined ? [] : [{ file: input.file, reason: problem }]),
      ...unsafe.map((form) => ({ file: input.file, ...form })),
    ]),
  );
  yield ']\n}\n';
}

const formsOf = ({ file: { input }, chosen, excluded }: FilePlan, isWritten: boolean): readonly object[] => [
  ...chosen.map((form) => ({ file: input.file, ...membersOf(form), written: isWritten })),
  ...excluded.map(({ exclusion, ...form }) => ({
    file: input.file,
    ...membersOf(form),
    written: false,
    leftOut: exclusion,
  })),
];

const membersOf = ({
  line,
  column,
  confidence,
  sensitive,
  name,
  title,
  description,
  autosubmit,
  parameters,
  origins,
  problems,
}: FormAnnotation): object => ({
  line,
  column,
  confidence,
  ...(sensitive && { sensitive }),
  toolname: name,
  ...(title !== undefined && { tooltitle: title }),
  tooldescription: description,
  toolautosubmit: autosubmit,
  parameters,
  origins,
  ...(problems.length > 0 && { findings: problems }),
});

function* listOf(values: readonly object[]): Generator<string> {
  let separator = '\n';
  for (const value of values) {
    yield `${separator}    ${printableJson(value)}`;
    separator = ',\n';
  }
  if (values.length > 0) yield '\n  ';
}
