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
    padding: 0.5rem 0.75rem;
  }

  .done {
    color: var(--_done);
  }

  pre.text {
    overflow: auto;
    max-block-size: 24rem;
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

  [hidden] {
    display: none !important;
  }

  dd,
  td,
  li,
  p {
    overflow-wrap: anywhere;
  }

  dl.content {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
  }

  .plain,
  .entries {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
    list-style: none;
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

  .scroll {
    overflow: auto;
  }

  table {
    inline-size: 100%;
    border-collapse: collapse;
  }

  th,
  td {
    padding: 0.25rem 0.5rem;
    border-block-end: 1px solid var(--_rule);
    text-align: start;
    vertical-align: top;
  }

  .profiles code {
    white-space: pre-wrap;
  }

  .differs {
    background: var(--_raised);
  }

  @container (max-width: 44rem) {
    .profiles,
    .profiles :is(tbody, tr, th, td) {
      display: block;
    }

    .profiles thead {
      display: none;
    }

    .profiles td::before {
      content: attr(data-profile) ': ';
      color: var(--_quiet);
    }
  }
`;
