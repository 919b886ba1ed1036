import { toolNamePattern } from '../../tool-name.js';
import {
  diagnose,
  synthesizeParameters,
  synthesizeTool,
  type Diagnostic,
  type FormDescription,
  type ProfileName,
  type Scope,
  type Sensitive,
  type SourceLocation,
  type SynthesizedParameter,
} from '../../compiler/index.js';
import { isTooLarge } from '../../compiler/limits.js';
import { redactForm, omit } from '../../compiler/profiles/redact.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { ManifestTool } from '../manifest/manifest.js';
import { withFingerprints } from './hidden-values.js';

export interface ReadToolsOptions {
  readonly profile: ProfileName;
  readonly sensitive: Sensitive;
}

interface FormReading {
  /** The form with the values of its hidden and sensitive controls, which messages must not contain. */
  readonly form: FormDescription;
  readonly parameters: readonly SynthesizedParameter[];
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if the annotations are incomplete or invalid. */
  readonly tool?: ManifestTool;
}

/** A form or a `<webmcp-tool>`, valid or not. Without a form, `form` has no controls. */
export interface ToolReading extends FormReading {
  readonly element: Parse5Element;
  readonly formElement?: Parse5Element;
  readonly scope?: Scope<Parse5Element>;
  /** The elements of `form.controls`, in the same order. */
  readonly controls: readonly Parse5Element[];
  readonly params?: readonly Parse5Element[];
  /** Whether the element is an optional `<webmcp-tool>` whose form is not on the page. */
  readonly isAbsent?: boolean;
}

export function compileForm(form: FormDescription, options: ReadToolsOptions): FormReading {
  const redacted = redactForm(form, options.sensitive);
  const parameters = synthesizeParameters(redacted, options);
  const reading = { form, parameters, diagnostics: diagnose(form, options, parameters) };
  const { name, description } = form.tool;
  if (isTooLarge(form) || name === null || !toolNamePattern.test(name) || description === null) return reading;
  return { ...reading, tool: manifestTool(withFingerprints(redacted, form), options, parameters) };
}

function manifestTool(
  redacted: FormDescription,
  options: ReadToolsOptions,
  parameters: readonly SynthesizedParameter[],
): ManifestTool {
  const { name, title, description, inputSchema } = synthesizeTool(redacted, options, parameters);
  return {
    name,
    ...(title && { title }),
    description,
    inputSchema,
    source: redacted.location as SourceLocation, // every form has a start tag
    form: { autosubmit: redacted.tool.autosubmit, ...omit(redacted, 'tool', 'location', 'limits') },
  };
}
