import { isRecord, type JsonValue } from 'webmcp-forms/headless';
import { requireAccess } from '../request.js';
import type { Access } from '../settings.js';
import { findWebtool } from '../webtools/find-webtool.js';
import type { Gateway } from './gateway.js';

/**
 * Checks whether the client of a request may do what its messages do.
 *
 * @throws {HttpError} `insufficient-scope`
 * @throws {GatewayError} `store-unavailable`
 */
export async function checkAccess(gateway: Gateway, request: Request, body: JsonValue = null): Promise<void> {
  if (!gateway.settings.authorize) return;
  requireAccess(gateway.settings, request, await accessOf(gateway, body));
}

/** A tool that does not exist is not submitted. */
async function accessOf({ live, settings }: Gateway, body: JsonValue): Promise<Access> {
  const names = (Array.isArray(body) ? (body as readonly JsonValue[]) : [body]).flatMap(calledTool);
  if (names.length === 0) return 'read';
  const { webtool } = await findWebtool(live, settings);
  return names.some((name) => webtool.actions.get(name)?.readOnly === false) ? 'submit' : 'read';
}

function calledTool(message: JsonValue): readonly string[] {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params)) return [];
  const { name } = message.params;
  return typeof name === 'string' ? [name] : [];
}
