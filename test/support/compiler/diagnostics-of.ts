import assert from 'node:assert/strict';
import { diagnose, type Diagnostic, type DiagnosticCode, type ProfileName } from '../../../src/compiler/index.js';
import { formsOf } from './forms.js';

export interface Options {
  readonly profile?: ProfileName;
  readonly sensitive?: 'include' | 'exclude';
}

/** The diagnostics of a form whose controls start on the second line. */
export function diagnosticsOf(
  controls: string,
  { profile = 'precise', ...options }: Options = {},
): readonly Diagnostic[] {
  const [form] = formsOf(`<form toolname="t" tooldescription="d">\n${controls}<button>Go</button></form>`);
  assert.ok(form);
  return diagnose(form, { profile, ...options });
}

export const codes = (controls: string, options?: Options): readonly DiagnosticCode[] =>
  diagnosticsOf(controls, options).map(({ code }) => code);

/** The only diagnostic. Asserts its code, and that it is located at the first control. */
export function only(code: DiagnosticCode, controls: string, options?: Options): Diagnostic {
  const [diagnostic, ...others] = diagnosticsOf(controls, options);
  assert.ok(diagnostic);
  assert.deepEqual([diagnostic.code, others], [code, []]);
  assert.deepEqual(diagnostic.location, { line: 2, column: 1 });
  assert.equal(diagnostic.tool, 't');
  return diagnostic;
}

/** The diagnostics of one form tag. */
export const ofForm = (attributes: string, content = '<button>Go</button>'): readonly Diagnostic[] =>
  formsOf(`<form ${attributes}>${content}</form>`).flatMap((form) => diagnose(form, { profile: 'precise' }));

export const chromium: Options = { profile: 'chromium' };
