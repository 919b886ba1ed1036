import { css, type CSSResult } from 'lit';

export const inspectorStyles: CSSResult = css`
  :host {
    display: flex;
    flex-direction: column;
    overflow: clip;
    border: 1px solid var(--_rule);
    border-radius: var(--_radius);
    background: var(--_surface);
    container-type: inline-size;
  }

  .bar,
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
  }

  .bar {
    padding: 0.5rem 0.75rem;
    border-block-end: 1px solid var(--_rule);
  }

  h2,
  h3,
  p,
  pre,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }

  h2,
  h3 {
    font-size: 1rem;
    overflow-wrap: anywhere;
  }

  .bar label:not([hidden]) {
    display: flex;
    flex: 1 1 10rem;
    gap: 0.5rem;
    align-items: center;
  }

  input,
  select,
  textarea {
    inline-size: 100%;
    min-inline-size: 0;
    padding: 0.25rem 0.5rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: inherit;
    font: inherit;
  }

  .quiet,
  .start,
  .say,
  dt,
  time {
    color: var(--_quiet);
  }

  .say {
    padding: 0.75rem;
  }

  [role='listbox'] {
    overflow: auto;
    flex: none;
    max-block-size: var(--webmcp-inspector-list-size, 13rem);
    border-block-end: 1px solid var(--_rule);
    list-style: none;
  }

  [role='listbox']::before,
  [role='listbox']::after {
    display: block;
    block-size: var(--_before, 0);
    content: '';
  }

  [role='listbox']::after {
    block-size: var(--_after, 0);
  }

  [role='option'] {
    display: grid;
    overflow: hidden;
    grid-template-columns: minmax(30%, 1fr) fit-content(65%);
    gap: 0 0.5rem;
    block-size: 3.75rem;
    block-size: round(up, 2lh + 0.75rem, 1px);
    padding: 0.375rem 0.75rem;
    padding-inline-start: calc(0.75rem + 4px);
    cursor: pointer;
  }

  [role='option']:is(:hover, [aria-selected='true']) {
    background: var(--_raised);
  }

  [role='option'][aria-selected='true'] {
    padding-inline-start: 0.75rem;
    border-inline-start: 4px solid var(--_accent);
  }

  [role='listbox']:focus-visible {
    outline: none;
  }

  [role='listbox']:focus-visible .active {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }

  .name {
    overflow-wrap: anywhere;
    font: 600 0.875rem/1.5 var(--_mono);
  }

  [role='option'] > * {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .start {
    grid-column: 1 / -1;
  }

  .badge {
    padding-inline: 0.375rem;
    border: 1px solid var(--_rule);
    border-radius: 0.75rem;
    font-size: 0.8125rem;
    white-space: nowrap;
  }

  .mark,
  .warning,
  .waiting {
    color: var(--_warning);
  }

  .error,
  .failed {
    color: var(--_error);
  }

  .tools,
  .detail {
    display: flex;
    flex: 0 1 auto;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
  }

  .sr {
    position: absolute;
    overflow: hidden;
    inline-size: 1px;
    block-size: 1px;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @container (min-width: 44rem) {
    .many {
      display: grid;
      grid-template: minmax(0, 1fr) / minmax(14rem, 1fr) minmax(0, 2fr);
    }

    .many > [role='listbox'] {
      max-block-size: var(--webmcp-inspector-list-size, 32rem);
      border-block-end: 0;
    }

    .many > .detail {
      border-inline-start: 1px solid var(--_rule);
    }
  }
`;
