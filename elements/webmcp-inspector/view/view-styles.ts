import { css, type CSSResult } from 'lit';

export const viewStyles: CSSResult = css`
  [type='checkbox'],
  [type='radio'] {
    inline-size: auto;
  }

  ::placeholder {
    color: var(--_quiet);
    opacity: 1;
  }

  textarea,
  pre,
  code,
  .name {
    font-family: var(--_mono);
    font-size: 0.875rem;
  }

  .detail > h2 {
    padding: 0.5rem 0.75rem 0;
  }

  .tabs {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    padding: 0.25rem 0.25rem 0;
    border-block-end: 1px solid var(--_rule);
  }

  /* Only the selected tab has a border: forced colors show transparent borders. */
  .tabs > button {
    padding: 0.375rem 0.375rem calc(0.375rem + 3px);
    border: 0;
    border-radius: 0;
    background: none;
    color: var(--_quiet);
    font-weight: 600;
    font-size: 0.875rem;
  }

  .tabs > button:hover {
    background: var(--_raised);
  }

  .tabs > [aria-selected='true'] {
    padding-block-end: 0.375rem;
    border-block-end: 3px solid var(--_accent);
    color: inherit;
  }

  .tabs > button:focus-visible,
  [role='tabpanel']:focus-visible,
  summary:focus-visible {
    outline-offset: -2px;
  }

  [role='tabpanel'] {
    flex: 1 1 auto;
    overflow: auto;
    min-block-size: min(8rem, 100%);
    max-block-size: var(--webmcp-inspector-panel-size, 28rem);
    scroll-padding-block-end: 3.5rem;
  }

  summary {
    padding: 0.375rem 0.75rem;
    font-weight: 600;
    cursor: pointer;
  }

  .section,
  .result {
    border-block-start: 1px solid var(--_rule);
  }

  .content {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    padding: 0.75rem;
  }

  a {
    color: var(--_accent);
  }

  .show {
    padding: 0.125rem 0.5rem;
    font-size: 0.8125rem;
  }

  .key {
    color: var(--_accent);
  }

  .string {
    color: var(--_done);
  }

  .number,
  .literal {
    color: var(--_warning);
  }

  .done {
    color: var(--_done);
  }

  pre.text {
    padding: 0.5rem;
    border-radius: var(--_radius);
    background: var(--_raised);
    direction: ltr;
    overflow-wrap: anywhere;
    text-align: left;
    white-space: pre-wrap;
  }

  fieldset {
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  legend,
  .fields label,
  .run label {
    padding: 0;
    font-weight: 600;
  }

  fieldset.row > legend {
    float: inline-start;
    margin-inline-end: 0.5rem;
  }

  label.row {
    gap: 0.25rem;
    font-weight: 400 !important;
  }

  .run,
  .fields {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
  }

  .run {
    padding: 0.75rem 0.75rem 0;
  }

  .fields {
    align-items: start;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr));
  }

  .fields > p {
    grid-column: 1 / -1;
  }

  /* The button stays in view while the fields scroll. */
  .actions {
    position: sticky;
    inset-block-end: 0;
    padding-block: 0.5rem;
    background: var(--_surface);
  }

  [hidden] {
    display: none !important;
  }

  dd,
  td,
  li,
  p {
    overflow-wrap: anywhere;
  }

  dl {
    display: grid;
    gap: 0.125rem 0.75rem;
    grid-template-columns: fit-content(40%) minmax(0, 1fr);
  }

  .errors {
    gap: 0.5rem 0.75rem;
  }

  .plain,
  .entries {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
    list-style: none;
  }

  .plain > li {
    display: grid;
    gap: 0.25rem;
    grid-template-columns: minmax(0, 1fr);
  }

  .plain > li + li {
    padding-block-start: 0.5rem;
    border-block-start: 1px solid var(--_rule);
  }

  .entries > li {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 2rem;
  }

  .line {
    padding: 0;
    font-weight: 400;
  }

  table {
    inline-size: 100%;
    border-collapse: collapse;
  }

  th {
    white-space: nowrap;
  }

  th,
  td {
    padding: 0.25rem 0.5rem;
    border-block-end: 1px solid var(--_rule);
    text-align: start;
    vertical-align: top;
  }

  .differences code {
    white-space: pre-wrap;
  }

  .differs {
    background: var(--_raised);
  }

  @container (max-width: 44rem) {
    .differences,
    .differences :is(tbody, tr, th, td) {
      display: block;
    }

    .differences thead {
      display: none;
    }

    .differences td::before {
      content: attr(data-profile) ': ';
      color: var(--_quiet);
    }
  }
`;
