import type {
  InspectorFinding,
  InspectorSource,
  SourceTool,
  ToolInspection,
} from '../../../../elements/webmcp-inspector.js';
import type { ToolDefinition } from '../../../../src/compiler/index.js';
import type { Playground } from '../playground.js';
import type { FormInspection, PageFinding } from '../reading.js';

const formId = 'form';

const nameOf = ({ name }: ToolDefinition): string => name || 'without a name';

/** The selected form as the only tool of the inspector. Its calls run in the frame. */
export class FormSource extends EventTarget implements InspectorSource {
  readonly #playground: Playground;
  readonly #ruleUrl: (code: string) => string | undefined;

  constructor(playground: Playground, ruleUrl: (code: string) => string | undefined) {
    super();
    this.#playground = playground;
    this.#ruleUrl = ruleUrl;
  }

  changed(): void {
    this.dispatchEvent(new Event('toolchange'));
  }

  getTools(): Promise<readonly SourceTool[]> {
    const { form, profile } = this.#playground;
    const tool = form.value?.tools[profile.value];
    return Promise.resolve(tool ? [{ ...tool, id: formId, name: nameOf(tool) }] : []);
  }

  executeTool(_tool: SourceTool, input: object, { signal }: { readonly signal: AbortSignal }): Promise<string | null> {
    return this.#playground.callTool(JSON.stringify(input), signal);
  }

  async inspectTool(): Promise<ToolInspection | undefined> {
    const inspection = await this.#playground.inspect();
    return inspection && this.#withButtons(inspection);
  }

  findings(): Promise<readonly InspectorFinding[]> {
    const { reading } = this.#playground;
    return Promise.resolve((reading.value?.findings ?? []).map((finding) => this.#findingOf(finding)));
  }

  #withButtons({ parameters, excluded, profiles }: FormInspection): ToolInspection {
    return {
      parameters: parameters.map((each) => ({ ...each, show: this.#showOf(each.show) })),
      excluded: excluded.map((each) => ({ ...each, show: this.#showOf(each.show) })),
      profiles,
    };
  }

  /** All findings of a page with one form are about its tool. */
  #findingOf({ place, ...finding }: PageFinding): InspectorFinding {
    const { form, reading } = this.#playground;
    const url = this.#ruleUrl(finding.code);
    return {
      ...finding,
      ...(reading.value?.forms.length === 1 && form.value && { tool: nameOf(form.value.tools.precise) }),
      ...(url !== undefined && { url }),
      ...(place && { place: `line ${place.line}`, show: () => this.#playground.reveal(place) }),
    };
  }

  #showOf(place: PageFinding['place']): (() => void) | undefined {
    return place && (() => this.#playground.reveal(place));
  }
}
