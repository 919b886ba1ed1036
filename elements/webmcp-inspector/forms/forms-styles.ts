import { css, type CSSResult } from 'lit';

export const formsStyles: CSSResult = css`
  .suggestions > li {
    display: grid;
    gap: 0.25rem;
    grid-template-columns: minmax(0, 1fr);
  }

  .suggestions dl {
    display: grid;
    gap: 0 0.75rem;
    grid-template-columns: fit-content(40%) minmax(0, 1fr);
  }

  .suggestions dt {
    overflow-wrap: anywhere;
  }
`;
