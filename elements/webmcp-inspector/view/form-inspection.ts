import { html, type TemplateResult } from 'lit';
import type { Annotate, ProfileName } from '../../../src/index.js';
import type { ElementDiagnostic } from '../../diagnostic.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { InspectorFinding, Show, Source, ToolInspection } from '../source.js';
import type { ToolEntry } from '../tools.js';
import { formViewOf } from './form-view.js';
import { InspectorView, type PanelModel } from './inspector-view.js';
import { pointAt } from './point-at.js';

const loadIndex = (): Promise<typeof import('../../../src/index.js')> => import('../../../src/index.js');

const withAnnotate = (annotate: Annotate | undefined): { readonly annotate?: Annotate } =>
  annotate ? { annotate } : {};

/** The form or element that defines a tool; undefined for a tool of a script. */
function findSource(host: WebmcpInspector, { window, name }: ToolEntry): Source | undefined {
  for (const source of host.sources.sourcesIn(window.deref())) if (source.name === name) return source;
  return undefined;
}

/** Returns a function that points at the element. It refers to the element only weakly. */
function showOf(host: WebmcpInspector, element: Element, what: string): Show {
  const ref = new WeakRef(element);
  return () => pointAt(host, ref.deref(), what);
}

/** Inspects the form of a tool in every profile; undefined if the tool has no form. */
async function inspectTool(host: WebmcpInspector, entry: ToolEntry): Promise<ToolInspection | undefined> {
  if (entry.source) return entry.source.from.inspectTool?.(entry.source.tool);
  const { inspectForm, profileNames } = await loadIndex();
  const { form, annotate } = findSource(host, entry) ?? {};
  if (!form) return undefined;
  const inspectIn = (profile: ProfileName) => ({
    profile,
    inspection: inspectForm(form, { profile, ...withAnnotate(annotate) }),
  });
  return formViewOf(profileNames.map(inspectIn), (control, what) => showOf(host, control, what));
}

/** The findings of a form or an element, with buttons that show the controls. */
export async function findingsOf(host: WebmcpInspector, source: Source): Promise<readonly InspectorFinding[]> {
  const { inspectForm } = await loadIndex();
  const { element, form, annotate } = source;
  const shown = (finding: ElementDiagnostic, target: Element): InspectorFinding => ({
    ...finding,
    show: showOf(host, target, [finding.tool, finding.parameter].filter(Boolean).join(', ') || finding.code),
  });
  const own = source.diagnostics.map((each) => shown(each, element));
  if (!form) return own;
  const { parameters, diagnostics } = inspectForm(form, withAnnotate(annotate));
  const keyOf = ({ code, parameter = '' }: InspectorFinding): string => `${code} ${parameter}`;
  const reported = new Set(own.map(keyOf));
  const controlOf = (name: string | undefined): Element =>
    parameters.find((parameter) => parameter.name === name)?.controls[0] ?? form;
  const found = diagnostics.filter((each) => !reported.has(keyOf(each)));
  return [...own, ...found.map((each) => shown(each, controlOf(each.parameter)))];
}

/** The inspection of the selected tool. It is read again after changes of the tools. */
export class InspectionCache extends InspectorView {
  #key = '';
  #version: number | undefined;
  #result: { readonly form: ToolInspection | undefined } | undefined;
  #failure = '';

  render({ entry, version }: PanelModel, view: (form: ToolInspection) => TemplateResult): TemplateResult {
    const { messages } = this;
    const quiet = (text: string): TemplateResult => html`<p class="quiet">${text}</p>`;
    if (!entry) return quiet(messages.choose);
    if (entry.kind === 'script') return quiet(messages.byScript);
    if (entry.key !== this.#key) this.#result = undefined;
    if (entry.key !== this.#key || version !== this.#version) void this.#read(entry, version);
    if (this.#failure) return html`<p class="error" role="status">${this.#failure}</p>`;
    if (!this.#result) return quiet(messages.looking);
    return this.#result.form ? view(this.#result.form) : quiet(messages.noForm);
  }

  async #read(entry: ToolEntry, version: number): Promise<void> {
    [this.#key, this.#version, this.#failure] = [entry.key, version, ''];
    const isCurrent = (): boolean => this.#key === entry.key && this.#version === version;
    try {
      const form = await inspectTool(this.host, entry);
      if (isCurrent()) this.#result = { form };
    } catch (error) {
      if (isCurrent()) this.#failure = String(error);
    }
    this.host.requestUpdate();
  }
}
