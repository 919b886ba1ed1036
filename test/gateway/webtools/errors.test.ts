import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { GatewayError } from '../../../gateway/src/index.js';
import { errorResponse, HttpError, toHttpError, type HttpErrorCode } from '../../../gateway/src/http/json-response.js';
import { secret } from '../../support/gateway/calls.js';
import { envelopeOf, manifest, post, refusalOf, serveWebtool } from '../../support/gateway/webtool-site.js';

const codes: Readonly<Record<HttpErrorCode, readonly [string, number]>> = {
  'schema-error': ['SCHEMA_ERROR', 422],
  'config-error': ['CONFIG_ERROR', 422],
  'webtool-not-found': ['WEBTOOL_NOT_FOUND', 404],
  'action-not-found': ['ACTION_NOT_FOUND', 404],
  'webtool-changed': ['WEBTOOL_CHANGED', 409],
  'not-submittable': ['NOT_SUBMITTABLE', 422],
  'page-drift': ['PAGE_DRIFT', 502],
  'page-unavailable': ['PAGE_UNAVAILABLE', 502],
  'page-not-found': ['PAGE_NOT_FOUND', 502],
  'page-forbidden': ['PAGE_FORBIDDEN', 502],
  'login-required': ['LOGIN_REQUIRED', 502],
  'captcha-required': ['CAPTCHA_REQUIRED', 403],
  'form-returned': ['FORM_RETURNED', 422],
  'form-not-offered': ['FORM_NOT_OFFERED', 409],
  'action-elsewhere': ['ACTION_ELSEWHERE', 502],
  'redirect-limit': ['REDIRECT_LIMIT', 502],
  'redirect-elsewhere': ['REDIRECT_ELSEWHERE', 502],
  'upstream-timeout': ['UPSTREAM_TIMEOUT', 504],
  'upstream-unreachable': ['UPSTREAM_UNREACHABLE', 502],
  'upstream-broken': ['UPSTREAM_BROKEN', 502],
  'upstream-too-large': ['UPSTREAM_TOO_LARGE', 502],
  'upstream-refused-address': ['UPSTREAM_REFUSED_ADDRESS', 502],
  'upstream-error': ['UPSTREAM_ERROR', 502],
  aborted: ['ABORTED', 499],
  'session-limit': ['SESSION_LIMIT', 429],
  'store-unavailable': ['STORE_UNAVAILABLE', 503],
  'internal-error': ['INTERNAL_ERROR', 500],
  'method-not-allowed': ['METHOD_NOT_ALLOWED', 405],
  'unsupported-media-type': ['UNSUPPORTED_MEDIA_TYPE', 415],
  'request-too-large': ['REQUEST_TOO_LARGE', 413],
  'rate-limit': ['RATE_LIMIT', 429],
  unauthorized: ['UNAUTHORIZED', 401],
  'insufficient-scope': ['INSUFFICIENT_SCOPE', 403],
  'authorization-unavailable': ['AUTHORIZATION_UNAVAILABLE', 503],
  'host-not-allowed': ['HOST_NOT_ALLOWED', 421],
  'shutting-down': ['SHUTTING_DOWN', 503],
  overloaded: ['OVERLOADED', 503],
  'quota-exceeded': ['QUOTA_EXCEEDED', 429],
  'origin-not-allowed': ['ORIGIN_NOT_ALLOWED', 403],
};

describe('errorResponse', () => {
  for (const [code, [wire, status]] of Object.entries(codes)) {
    it(`returns ${wire} with the status ${status}`, async () => {
      const cause = new Error(secret);
      const error = new HttpError(code as HttpErrorCode, 'It failed.', {
        cause,
        headers: { 'retry-after': '1' },
      });
      const response = errorResponse(error);
      assert.deepEqual([response.status, response.headers.get('retry-after')], [status, '1']);
      assert.deepEqual(await envelopeOf(response), { status: 'error', error: { code: wire, message: 'It failed.' } });
    });
  }

  it('returns all parameter errors', async () => {
    const parameters = [
      { parameter: 'a', code: 'wrong-type', message: 'm', expected: { type: 'string' }, received: '1' },
    ] as const;
    const error = toHttpError(new GatewayError('schema-error', 'It failed.', { parameters }));
    assert.deepEqual((await envelopeOf(errorResponse(error))).error?.parameters, parameters);
  });

  it('returns no pattern of more than 60 characters, which the message explains', async () => {
    const patterns = ['x'.repeat(60), 'x'.repeat(61)].map((pattern) => ({ type: 'string', pattern }) as const);
    const parameters = patterns.map(
      (expected) => ({ parameter: 'a', code: 'pattern-mismatch', message: 'm', expected, received: '1' }) as const,
    );
    const error = toHttpError(new GatewayError('schema-error', 'It failed.', { parameters }));
    const returned = (await envelopeOf(errorResponse(error))).error?.parameters ?? [];
    assert.deepEqual(
      returned.map((each) => (each as { readonly expected?: unknown }).expected),
      [patterns[0], { type: 'string' }],
    );
  });

  it('returns no details of an unexpected error', async (t) => {
    for (const failure of [new TypeError(secret), secret, undefined]) {
      const response = errorResponse(toHttpError(failure));
      assert.deepEqual([response.status, response.headers.get('cache-control')], [500, 'no-store']);
      assert.equal((await envelopeOf(response)).error?.message, 'The gateway failed. Its log has the details.');
    }
    const failure = new TypeError(secret);
    let isServed = false; // a gateway does not start with a manifest that is invalid
    const broken = structuredClone(manifest);
    Object.defineProperty(broken.pages[0]?.tools[0]?.form?.controls[0], 'type', {
      get() {
        if (isServed) throw failure;
        return 'text';
      },
    });
    const { url, events } = await serveWebtool(t, { manifest: broken });
    isServed = true;
    const messages = [
      await refusalOf(fetch(url), 500, 'INTERNAL_ERROR'),
      await refusalOf(post(url, { action: 'search', request: {} }), 500, 'INTERNAL_ERROR'),
    ];
    assert.doesNotMatch(messages.join(), new RegExp(secret));
    assert.deepEqual(
      events.map(({ code, status, error }) => [code, status, error === failure]),
      [
        ['internal-error', 500, true],
        ['internal-error', 500, true],
      ],
    );
  });
});
