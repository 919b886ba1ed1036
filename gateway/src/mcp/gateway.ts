import type { LiveManifest } from '../manifest.js';
import type { Settings } from '../settings.js';
import type { Round } from './ask/ask.js';
import { Asking } from './ask/asking.js';
import { Downloads } from './downloads.js';

/** The state that the servers of all requests share. */
export interface Gateway {
  readonly live: LiveManifest;
  readonly settings: Settings;
  /** The settings for clients whose users can be asked for secrets. They include the tools that require a secret. */
  readonly secretSettings: Settings;
  readonly asking: Asking;
  readonly openPlace: Round['openPlace'];
  readonly downloads: Downloads;
  /** The interval of progress notifications and of keep-alive messages. */
  readonly keepAliveMs: number;
}

export const defaultKeepAlive = 15_000;

export function createMcpGateway(
  live: LiveManifest,
  settings: Settings,
  options: Pick<Gateway, 'openPlace' | 'keepAliveMs'>,
): Gateway {
  const secretSettings = { ...settings, clientSecrets: true };
  return { live, settings, secretSettings, asking: new Asking(), downloads: new Downloads(), ...options };
}
