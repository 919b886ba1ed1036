import { css, type CSSResult } from 'lit';

export const viewStyles: CSSResult = css`
  .panel {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    padding: 0.75rem 1rem;
    overflow-wrap: anywhere;
  }

  section {
    container-type: inline-size;
  }

  section + section {
    margin-block-start: 0.75rem;
    border-block-start: 1px solid var(--_rule);
    padding-block-start: 0.75rem;
  }

  h2,
  p {
    margin: 0 0 0.5rem;
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

  /* The changes scroll between the heading and the bar, so that Approve stays in view and covers no change. */
  .columns,
  .rows {
    overflow: auto;
    scrollbar-gutter: stable;
  }

  .rows {
    min-block-size: 5rem;
    max-block-size: calc(var(--_block-size) - 9rem);
    border-block: 1px solid var(--_rule);
  }

  .columns,
  .change {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    column-gap: 0.75rem;
  }

  .name {
    grid-column: 1 / -1;
  }

  @container (inline-size > 26rem) {
    .columns,
    .change {
      grid-template-columns: minmax(0, 2fr) repeat(2, minmax(0, 3fr));
    }

    .name {
      grid-column: 1;
    }
  }

  .rows > li {
    padding-block: 0.1875rem;
  }

  .rows > li + li {
    border-block-start: 1px solid var(--_rule);
  }

  .rows button {
    border: 0;
    border-radius: 0.25rem;
    background: none;
    padding: 0.125rem 0;
    color: var(--_accent);
    text-align: start;
    text-decoration: underline;
    overflow-wrap: anywhere;
  }

  dl {
    margin: 0;
  }

  [part='row'] dl {
    display: grid;
    grid-column: span 2;
    grid-template-columns: subgrid;
    padding-block: 0.125rem;
  }

  [part='row'] dt {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    clip-path: inset(50%);
  }

  [part='button'] .now {
    display: flex;
    gap: 0.75rem;
  }

  .columns,
  [part='before'],
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
    margin-block-start: 0.625rem;
  }

  .actions > :not(.primary) {
    border-color: transparent;
    color: var(--_accent);
  }

  .problem {
    margin-block: 0.5rem 0;
    color: var(--_error);
  }

  /* Opaque, because browsers report translucent elements as not visible. */
  button[aria-disabled='true'] {
    border-color: var(--_rule);
    background: var(--_raised);
    color: var(--_quiet);
    cursor: default;
  }

  @media (forced-colors: active) {
    button.primary {
      border-width: 2px;
    }
  }
`;
