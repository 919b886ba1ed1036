import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { InspectorStrings } from '../strings.js';
import type { ToolEntry } from '../tools.js';

/** A part of the inspector with a state of its own. */
export abstract class InspectorView {
  protected readonly host: WebmcpInspector;

  constructor(host: WebmcpInspector) {
    this.host = host;
  }

  protected get messages(): InspectorStrings {
    return this.host.messages;
  }
}

export interface PanelModel {
  readonly entries: readonly ToolEntry[];
  /** The selected tool. */
  readonly entry: ToolEntry | undefined;
  /** Changes when the tools are read again. */
  readonly version: number;
}

/** The content of a tab. */
export interface Panel {
  /** The number of items, shown in the tab. */
  readonly count?: number | undefined;
  /** Updates the data that `count` depends on. */
  follow?(model: PanelModel): void;
  render(model: PanelModel): unknown;
}
