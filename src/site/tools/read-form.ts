import { toolName } from '../../compiler/diagnostics.js';
import {
  diagnose,
  synthesizeParameters,
  synthesizeTool,
  type Diagnostic,
  type FormDescription,
  type ProfileName,
  type Sensitive,
  type SourceLocation,
  type SynthesizedParameter,
} from '../../compiler/index.js';
import { redactForm, without } from '../../compiler/profiles/redact.js';
import type { ManifestTool } from '../manifest/manifest.js';

export interface ReadToolsOptions {
  readonly profile: ProfileName;
  readonly sensitive: Sensitive;
}

/** What a form was made into, and what is wrong with it. */
export interface FormReading {
  /** The form with its secrets, which no finding may tell. */
  readonly form: FormDescription;
  readonly parameters: readonly SynthesizedParameter[];
  readonly diagnostics: readonly Diagnostic[];
  /** The tool, unless its annotations keep it from being one. */
  readonly tool?: ManifestTool;
}

/** Makes the tool that a form is. */
export function readForm(form: FormDescription, options: ReadToolsOptions): FormReading {
  const redacted = redactForm(form, options.sensitive);
  const parameters = synthesizeParameters(redacted, options);
  const reading = { form, parameters, diagnostics: diagnose(form, options, parameters) };
  const { name, description } = form.tool;
  if (name === null || !toolName.test(name) || description === null) return reading;
  return { ...reading, tool: manifestTool(redacted, options, parameters) };
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
    source: redacted.location as SourceLocation, // no form is without a start tag
    form: { autosubmit: redacted.tool.autosubmit, ...without(redacted, 'tool', 'location') },
  };
}
