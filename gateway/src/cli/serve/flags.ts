import type { LogLevel } from '../../node/log.js';
import type { RateLimit } from '../../node/rate-limit.js';

/** The options of `webmcp-gateway serve`. */
export interface ServeFlags {
  readonly baseUrl?: string;
  readonly config?: string;
  readonly clientSecrets?: true;
  readonly autosubmitOnly?: true;
  readonly allowPrivate?: true;
  readonly origin?: readonly string[];
  readonly sessions?: string;
  readonly sessionSeconds: number;
  readonly store?: string;
  readonly mcp?: true;
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly cors?: readonly string[];
  readonly rateLimit?: RateLimit;
  readonly clientAddressHeader?: string;
  readonly workers: number;
  readonly logLevel: LogLevel;
}
