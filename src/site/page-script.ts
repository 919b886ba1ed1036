import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A script of this package for pages. */
export interface PageScript {
  readonly code: string;
  /** The `integrity` of the script. https://www.w3.org/TR/sri-2/ */
  readonly integrity: string;
}

/** The page script, and the agent script that it loads at the first use of the tools. */
export const pageScriptFiles = ['webmcp-forms.iife.js', 'webmcp-forms.agent.js'] as const;

export function readPageScript(file: string): PageScript {
  const code = readFileSync(createRequire(import.meta.url).resolve(`webmcp-forms/${file}`), 'utf8');
  return { code, integrity: `sha384-${createHash('sha384').update(code).digest('base64')}` };
}
