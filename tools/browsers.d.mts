import type { ProgramName } from './programs.mjs';

export type EngineName = 'chromium' | 'webmcp' | 'firefox' | 'webkit';
export const engines: Readonly<Record<EngineName, { readonly label: string; readonly program: ProgramName }>>;
export function wantedEngines(list?: string): EngineName[];
