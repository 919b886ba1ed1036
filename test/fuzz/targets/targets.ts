import type { Target } from '../target.js';

/** The targets by name. They are imported when they run, because each one loads other parts of the product. */
const targets: Readonly<Record<string, () => Promise<Target>>> = {
  html: async () => (await import('./html.js')).html,
  'front-ends': async () => (await import('./front-ends.js')).frontEnds,
  input: async () => (await import('./input.js')).input,
  entries: async () => (await import('./entries.js')).entries,
  restore: async () => (await import('./restore.js')).restore,
  requests: async () => (await import('./requests.js')).requests,
  pages: async () => (await import('./pages.js')).pages,
  manifests: async () => (await import('./manifests.js')).manifests,
  messages: async () => (await import('./messages.js')).messages,
  identity: async () => (await import('./identity.js')).identity,
  'live-identity': async () => (await import('./live-identity.js')).liveIdentity,
  patterns: async () => (await import('./patterns.js')).patterns,
};

export const targetNames: readonly string[] = Object.keys(targets);

export async function targetNamed(name: string): Promise<Target> {
  const open = targets[name];
  if (!open) throw new Error(`${name} is not a target.`);
  return await open();
}
