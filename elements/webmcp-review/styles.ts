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

  :host([placement='corner'][showing]) {
    position: fixed;
    inset-block-end: 0.75rem;
    inset-inline-end: 0.75rem;
    z-index: var(--webmcp-review-z-index, 2147483000);
    max-inline-size: min(24rem, 100vw - 1.5rem);
  }

  :host([placement='corner']) .panel {
    max-block-size: min(32rem, 45vh);
    overflow: auto;
    box-shadow: 0 0.25rem 1.5rem rgb(0 0 0 / 25%);
  }

  .live {
    white-space: nowrap;
  }

  .panel {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    padding: 1rem;
    overflow-wrap: anywhere;
  }

  section + section {
    margin-block-start: 1rem;
    border-block-start: 1px solid var(--_rule);
    padding-block-start: 1rem;
  }

  h2,
  p {
    margin: 0 0 0.75rem;
  }

  h2 {
    font-size: 1.0625rem;
    line-height: 1.3;
  }

  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .rows > li {
    border-block-start: 1px solid var(--_rule);
    padding-block: 0.5rem;
  }

  .rows button {
    border: 0;
    border-radius: 0.25rem;
    background: none;
    padding: 0.125rem 0;
    color: var(--_accent);
    font-weight: 600;
    text-align: start;
    text-decoration: underline;
    overflow-wrap: anywhere;
  }

  dl {
    margin: 0;
  }

  dl > div {
    display: grid;
    grid-template-columns: minmax(4rem, max-content) 1fr;
    column-gap: 0.75rem;
  }

  dt,
  .by,
  .word {
    color: var(--_quiet);
  }

  dd {
    margin: 0;
    min-inline-size: 0;
  }

  .now dd .text {
    font-weight: 600;
  }

  .by {
    margin-inline-start: 0.5rem;
    font-size: 0.875em;
  }

  .by.user {
    color: var(--_done);
  }

  .word {
    font-style: italic;
  }

  .text {
    white-space: pre-wrap;
  }

  .swatch {
    inline-size: 1em;
    block-size: 1em;
    margin-inline-end: 0.375rem;
    border: 1px solid var(--_line);
    vertical-align: -0.125em;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-block-start: 0.75rem;
  }

  .problem {
    color: var(--_error);
  }

  /* Opaque, because browsers report translucent elements as not visible. */
  button[aria-disabled='true'] {
    border-color: var(--_rule);
    background: var(--_raised);
    color: var(--_quiet);
    cursor: default;
  }

  button:hover {
    text-decoration: underline;
  }

  @media (forced-colors: active) {
    button.primary {
      border-width: 2px;
    }
  }
`;
