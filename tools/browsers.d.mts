import type { ProgramName } from './programs.mjs';

export type EngineName = 'chromium' | 'webmcp' | 'firefox' | 'webkit';
export const engines: Readonly<Record<EngineName, { readonly label: string; readonly program: ProgramName }>>;
export function wantedEngines(list?: string): EngineName[];
export const firefoxPreferences: Readonly<Record<string, number | boolean>>;
