import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { HttpError, wireCode, type HttpErrorCode } from '../../gateway/src/http/json-response.js';

const page = readFileSync(new URL('../../docs/reference/gateway/webtools.md', import.meta.url), 'utf8');

/** All codes, as the type ensures. */
const codes: Readonly<Record<HttpErrorCode, true>> = {
  ...{ 'schema-error': true, 'config-error': true, 'webtool-not-found': true, 'action-not-found': true },
  ...{
    'not-submittable': true,
    'page-drift': true,
    'page-unavailable': true,
    'page-not-found': true,
    'page-forbidden': true,
    'login-required': true,
    'captcha-required': true,
    'form-returned': true,
    'form-not-offered': true,
  },
  ...{ 'action-elsewhere': true, 'redirect-limit': true, 'redirect-elsewhere': true, 'upstream-timeout': true },
  ...{ 'upstream-unreachable': true, 'upstream-broken': true, 'upstream-too-large': true, 'upstream-error': true },
  ...{ 'upstream-refused-address': true, aborted: true, 'store-unavailable': true, 'internal-error': true },
  ...{ 'method-not-allowed': true, 'unsupported-media-type': true, 'request-too-large': true, 'rate-limit': true },
  ...{
    'webtool-changed': true,
    'session-limit': true,
    overloaded: true,
    'quota-exceeded': true,
    'origin-not-allowed': true,
  },
  ...{ 'insufficient-scope': true, 'authorization-unavailable': true },
  ...{ unauthorized: true, 'host-not-allowed': true, 'shutting-down': true },
};

test('docs/reference/gateway/webtools.md lists every error code with its status', () => {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| ([\d, ]+?) +\|/gm)].map(([, code, statuses]) => [code, statuses]);
  const expected = Object.keys(codes).map((each) => {
    const { code, status } = new HttpError(each as HttpErrorCode, '');
    return [wireCode(code), code === 'schema-error' ? `400, ${status}` : String(status)];
  });
  assert.deepEqual(rows.sort(), expected.sort());
});
