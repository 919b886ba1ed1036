import { css, type CSSResult } from 'lit';

/** The custom properties of the rendered elements, each with a default for light and dark. */
export const theme: CSSResult = css`
  :host {
    color-scheme: inherit;
    --_surface: var(--webmcp-surface, light-dark(#fff, #1e1e22));
    --_raised: var(--webmcp-raised, light-dark(#f4f4f6, #2a2a30));
    --_text: var(--webmcp-text, light-dark(#1c1c22, #f0f0f4));
    --_quiet: var(--webmcp-quiet, light-dark(#5c5c68, #b0b0bc));
    --_line: var(--webmcp-line, light-dark(#8a8a98, #74747f));
    --_rule: var(--webmcp-rule, light-dark(#dcdce2, #3c3c44));
    --_accent: var(--webmcp-accent, light-dark(#1a56c4, #8ab4ff));
    --_on-accent: var(--webmcp-on-accent, light-dark(#fff, #10131a));
    --_error: var(--webmcp-error, light-dark(#b3261e, #ffb4ab));
    --_warning: var(--webmcp-warning, light-dark(#7a4f00, #ffcf70));
    --_done: var(--webmcp-done, light-dark(#14692e, #86d99a));
    --_radius: var(--webmcp-radius, 0.5rem);
    --_mono: var(--webmcp-mono, ui-monospace, monospace);
    display: block;
    color: var(--_text);
    font: var(--webmcp-font, 0.9375rem/1.5 system-ui, sans-serif);
  }

  :host([hidden]) {
    display: none;
  }

  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }

  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }

  button {
    padding: 0.375rem 0.875rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: inherit;
    font: inherit;
    cursor: pointer;
  }

  button.primary {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;
