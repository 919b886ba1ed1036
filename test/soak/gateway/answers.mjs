// The expected answer of each call, by the fault at the end of its ID.

/** The codes with which a call may fail, by the fault of the site. */
const codesByFault = {
  error: ['UPSTREAM_ERROR'],
  reset: ['UPSTREAM_UNREACHABLE', 'UPSTREAM_BROKEN'],
  closed: ['UPSTREAM_UNREACHABLE', 'UPSTREAM_BROKEN'],
  half: ['UPSTREAM_BROKEN'],
  hang: ['UPSTREAM_TIMEOUT'],
  halfHang: ['UPSTREAM_TIMEOUT'],
  large: ['UPSTREAM_TOO_LARGE'],
  elsewhere: ['REDIRECT_ELSEWHERE'],
  loop: ['REDIRECT_LIMIT'],
};

/** The site's page with the token fails at random, before anything is submitted. */
const pageCodes = ['PAGE_UNAVAILABLE', 'UPSTREAM_UNREACHABLE', 'UPSTREAM_BROKEN', 'UPSTREAM_TIMEOUT'];

export const faultWeights = {
  ...{ none: 760, late: 40, slow: 40, refused: 20, error: 30, reset: 15, closed: 10, half: 20 },
  ...{ hang: 0.3, halfHang: 0.2, large: 1, redirect: 20, again: 10, elsewhere: 5, loop: 5 },
};

const isAnswered = (fault) => !(fault in codesByFault);

/** @returns a description of what is wrong, or undefined */
export function findFault({ call, action, fault, answer, code, windows }) {
  if (code !== undefined) return unexpectedCode({ action, fault, code, windows });
  if (!isAnswered(fault)) return `answered, although the site had the fault ${fault}`;
  if (answer.status !== (fault === 'refused' ? 422 : 200)) return `status ${answer.status}`;
  const text = JSON.stringify(answer);
  if (!text.includes(call)) return `the answer of another call: ${text.slice(0, 200)}`;
  return undefined;
}

function unexpectedCode({ action, fault, code, windows }) {
  const allowed = ['OVERLOADED', ...(codesByFault[fault] ?? [])];
  if (action === 'token') allowed.push(...pageCodes);
  if (windows.isSiteDown) allowed.push('UPSTREAM_UNREACHABLE', 'UPSTREAM_BROKEN', 'PAGE_UNAVAILABLE');
  if (windows.isStoreDown) allowed.push('STORE_UNAVAILABLE');
  if (windows.isStopping) allowed.push('SHUTTING_DOWN');
  return allowed.includes(code) ? undefined : `${code} for the fault ${fault} of ${action}`;
}

/** Codes of calls that were refused before anything was sent to the site. */
export const unsentCodes = new Set([
  'SCHEMA_ERROR',
  'ACTION_NOT_FOUND',
  'STORE_UNAVAILABLE',
  'PAGE_UNAVAILABLE',
  'OVERLOADED',
]);
