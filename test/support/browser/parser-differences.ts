/** Pages that a browser's parser parses differently from parse5. */
export interface ParserDifference {
  readonly reason: string;
  /** The smallest page with the difference. */
  readonly page: string;
  readonly engines: readonly Engine[];
  /** Whether a page may have the difference. */
  readonly mayShow: (page: string) => boolean;
}

export type Engine = 'chromium' | 'firefox' | 'webkit';

export const engine: Engine = /Chrome\//.test(navigator.userAgent)
  ? 'chromium'
  : /Firefox\//.test(navigator.userAgent)
    ? 'firefox'
    : 'webkit';

const form = '<form toolname=t tooldescription=d>';

export const parserDifferences: readonly ParserDifference[] = [
  {
    reason:
      'The standard ignores a form start tag directly in a table, or a part of one, in a template; here it makes a form.',
    page: `<!doctype html><body><div><template shadowrootmode=open><table>${form}`,
    engines: ['chromium', 'webkit'],
    mayShow: (page) => /shadowrootmode.*<(?:t(?:able|body|r|d|h)|col|caption).*<form/s.test(page),
  },
  {
    reason: 'The standard now keeps controls inside a select; parse5 8 still drops their tags.',
    page: `<!doctype html><body>${form}<select><button name=b>B</button></select>`,
    engines: ['chromium', 'firefox'],
    mayShow: () => false, // tag soup has only options in selects
  },
];
