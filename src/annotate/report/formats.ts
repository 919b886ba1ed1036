import { oneLine, printableJson, type Paint } from '../../site/printable.js';
import type { FormAnnotation } from '../form-annotation.js';
import { tallyPlans, type ExcludedForm, type FilePlan } from './choose-forms.js';

/** A row for each suggestion: place, confidence, name, submitter (agent or person), description. */
export function* tableOf(plans: readonly FilePlan[], paint: Paint): Generator<string> {
  const rows = plans.flatMap(({ file: { input }, chosen, excluded }) =>
    [
      ...chosen.map((form): Row => ({ file: input.file, form })), // a person may have chosen an excluded form
      ...excluded.map((form): Row => ({ file: input.file, form, exclusion: form.exclusion })),
    ].sort((one, other) => one.form.start - other.form.start),
  );
  if (rows.length === 0) return;
  const cells = rows.map(({ file, form }) => ({
    place: oneLine(`${file}:${form.line}:${form.column}`),
    name: oneLine(form.name),
  }));
  const widthOf = (texts: readonly string[]): number =>
    Math.min(maxWidth, Math.max(...texts.map(({ length }) => length)));
  const [places, names] = [widthOf(cells.map(({ place }) => place)), widthOf(cells.map(({ name }) => name))];
  for (const [index, { form, exclusion }] of rows.entries()) {
    const { place = '', name = '' } = cells[index] ?? {};
    const confidence = paint(colors[form.confidence], form.confidence.padEnd(6));
    const submits = (form.autosubmit ? 'agent' : 'person').padEnd(6);
    const note = exclusion === undefined ? '' : `${paint('yellow', notes(form)[exclusion])} `;
    yield `${place.padEnd(places)}  ${confidence}  ${paint('bold', name.padEnd(names))}  ${submits}  ${note}${oneLine(form.description)}\n`;
    for (const { line, column, parameter, description } of form.parameters)
      yield `  ${paint('dim', oneLine(`${line}:${column}  ${parameter}: ${description}`))}\n`;
  }
}

interface Row {
  readonly file: string;
  readonly form: FormAnnotation;
  readonly exclusion?: ExcludedForm['exclusion'];
}

const maxWidth = 60;

const colors = { high: 'green', medium: 'yellow', low: 'red' } as const;

const notes = ({ sensitive, confidence, problems }: FormAnnotation) => ({
  sensitive: `[left out: ${sensitive}, for a person to submit; ${flagsFor('--include-sensitive', problems)} ${writes(problems)} it]`,
  confidence: `[left out: ${confidence} confidence; ${flagsFor(`--min-confidence ${confidence}`, problems)} ${writes(problems)} it]`,
});

/** The flags to annotate a form. A form that lint would report also needs `--with-findings`. */
const flagsFor = (flag: string, { length }: FormAnnotation['problems']): string =>
  length > 0 ? `${flag} and --with-findings` : flag;

const writes = ({ length }: FormAnnotation['problems']): string => (length > 0 ? 'write' : 'writes');

/** One object with a summary, the suggestions and the forms that cannot be annotated; each form is on one line. */
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
