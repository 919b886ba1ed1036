import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { compileHtml } from '../../../src/site/compile-html.js';
import { GatewayError, submitForm, type GatewayErrorCode, type GatewayTool } from '../../../gateway/src/index.js';
import type { SubmitFormOptions } from '../../../gateway/src/submit-form.js';

/** A value that no error may contain. */
export const secret = 'S3CRET';

/** A page with one tool. */
export const pageOf = (form: string, controls: string): string =>
  `<!doctype html><title>x</title><form toolname=t tooldescription=t ${form}>${controls}</form>`;

/** The tool of a page in a manifest. */
export function toolOf(html: string): GatewayTool {
  const { tools } = compileHtml(html, { path: 'page' });
  return JSON.parse(JSON.stringify(tools[0])) as GatewayTool;
}

export type CallOptions = Omit<SubmitFormOptions, 'tool' | 'input'> &
  Partial<SubmitFormOptions> & { readonly html: string };

/** Calls the tool of a page on loopback. */
export const call = ({ html, limits, ...options }: CallOptions): ReturnType<typeof submitForm> =>
  submitForm({
    ...{ tool: toolOf(html), input: {}, allowPrivateAddresses: true, limits: { ...patient, ...limits } },
    ...options,
  });

/** A deadline that calls on a slow machine do not reach. */
export const patient = { milliseconds: 600_000 };

/** The failure of a call, which must not contain the secret. */
export async function failureOf(promise: Promise<unknown>, code: GatewayErrorCode): Promise<GatewayError> {
  const error = await promise.then(
    (value) => assert.fail(`it succeeded: ${inspect(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw error;
  assert.doesNotMatch(inspect(error, { depth: Infinity }), new RegExp(secret));
  assert.equal(error.code, code, error.message);
  return error;
}
