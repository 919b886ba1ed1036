import type { LiveManifest } from '../live-manifest.js';
import { settingsOf, type GatewayEvent, type GatewayOptions } from '../settings.js';
import { webtoolOf } from '../webtools/webtool.js';
import type { Log } from './log.js';

/** Options whose events are logged too. */
export function withLog<Options extends GatewayOptions>(options: Options, log: Log): Options {
  const onEvent = (event: GatewayEvent): void => {
    logEvent(event, log);
    options.onEvent?.(event);
  };
  return { ...options, onEvent };
}

/** Only what is named here is logged, whatever else an event may come to have. */
function logEvent(event: GatewayEvent, log: Log): void {
  const { interface: by, action, code, status, milliseconds, requestId, error } = event;
  const fields = {
    ...(requestId !== undefined && { requestId }),
    interface: by,
    ...(action !== undefined && { action }),
    ...{ code, status, milliseconds: Math.round(milliseconds) },
  };
  if (error === undefined) log.info(fields, 'call');
  else log.error({ ...fields, error }, 'call');
}

/** Says what of a manifest is served, now and whenever it changes, until the signal is aborted. */
export async function logWebtool(
  live: LiveManifest,
  options: GatewayOptions,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const settings = settingsOf(options);
  const tell = async (): Promise<void> => {
    const { metadata, actions, leftOut } = await webtoolOf(live.current, settings);
    for (const { tool, page, reason } of leftOut) log.warn({ tool, page, reason }, 'left out');
    const { name, version, hash } = metadata;
    const level = actions.size > 0 ? 'info' : 'warn';
    log[level]({ name, version, hash, actions: actions.size, leftOut: leftOut.length }, 'webtool');
  };
  live.addEventListener('change', () => void tell(), { signal });
  await tell();
}
