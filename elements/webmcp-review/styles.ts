import { css, type CSSResult } from 'lit';

export const reviewStyles: CSSResult = css`
  :host(:not([showing])),
  .live {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    clip-path: inset(50%);
    pointer-events: none;
  }

  :host {
    --_block-size: 90svh;
  }

  :host([placement='corner'][showing]) {
    --_block-size: min(32rem, 60svh);
    position: fixed;
    inset-block-end: 0.75rem;
    inset-inline-end: 0.75rem;
    z-index: var(--webmcp-review-z-index, 2147483000);
    inline-size: min(32rem, 100vw - 1.5rem);
  }

  :host([placement='corner']) .panel {
    max-block-size: var(--_block-size);
    overflow: auto;
    box-shadow: 0 0.25rem 1.5rem rgb(0 0 0 / 25%);
  }

  .live {
    white-space: nowrap;
  }

  button:hover {
    text-decoration: underline;
  }
`;
