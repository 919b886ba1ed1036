export type ProgramName =
  | 'chromium'
  | 'firefox'
  | 'webkit'
  | 'curl'
  | 'openssl'
  | 'parallel'
  | 'redis'
  | 'django'
  | 'wordpress'
  | 'dokuwiki'
  | 'mediawiki'
  | 'redmine';
export function chromiumPath(): string | undefined;
export function headlessChromiumPath(): string | undefined;
export function firefoxPath(): string | undefined;
export function pythonPath(): string | undefined;
export function phpPath(): string | undefined;
export function rubyPath(): string | undefined;
export function skipWithout(name: ProgramName): boolean;
