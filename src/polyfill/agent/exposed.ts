import type { Tool } from '../state.js';

/** https://webmachinelearning.github.io/webmcp/#tool-is-exposed-to-an-origin */
export const isExposed = ({ exposedTo }: Tool, own: string, origin: string): boolean =>
  origin !== 'null' && (origin === own || exposedTo.includes(origin));
