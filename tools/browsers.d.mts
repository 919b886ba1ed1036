export type EngineName = 'chromium' | 'webmcp' | 'firefox' | 'webkit';
export const engines: Readonly<Record<EngineName, { readonly label: string; readonly isHere: () => boolean }>>;
export function chromiumPath(): string | undefined;
export function firefoxPath(): string | undefined;
export function wantedEngines(list?: string): EngineName[];
export function missingEngines(wanted: readonly EngineName[]): EngineName[];
export function redisPath(): string | undefined;
