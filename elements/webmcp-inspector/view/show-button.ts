import { html, nothing, type TemplateResult } from 'lit';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { Show } from '../source.js';

/** A button that shows a control on the page. */
export const showButton = (
  { messages }: WebmcpInspector,
  show: Show | undefined,
  what: string,
): TemplateResult | typeof nothing =>
  show
    ? html`<button type="button" class="show" aria-label=${formatMessage(messages.pointAt, { what })} @click=${show}>
        ${messages.point}
      </button>`
    : nothing;
