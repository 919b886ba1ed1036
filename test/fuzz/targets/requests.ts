import { rawRequests } from '../generators/requests.js';
import { bytesOf, exchange, type RawRequest, type RawResponse } from '../gateway/raw-http.js';
import { listedCodes, openShop, type Shop } from '../gateway/shop.js';
import { hold, inLanes, type Target } from '../target.js';

const laneCount = 4;

/** Raw HTTP requests to both faces of a served gateway in front of a site. */
export const requests: Target<RawRequest> = {
  name: 'requests',
  cases: rawRequests,
  batch: 500,
  open: async () => {
    const lanes = await Promise.all(Array.from({ length: laneCount }, openShop));
    return {
      run: (cases, begin) => inLanes(lanes, cases, begin, check),
      close: async () => void (await Promise.all(lanes.map((lane) => lane.close()))),
    };
  },
};

async function check(shop: Shop, request: RawRequest): Promise<void> {
  if (isTwoRequests(request)) return;
  shop.requests.length = 0;
  shop.events.length = 0;
  const bytes = bytesOf(request, `127.0.0.1:${shop.port}`);
  const response = await exchange(shop.port, bytes, isIncomplete(request));
  const posts = shop.requests.filter(({ method }) => method === 'POST');
  checkResponse(response, shop);
  hold(
    posts.length === 0 || isSuccess(response),
    'refused input is not sent to the site',
    JSON.stringify({ response, posts }),
  );
}

/** A body whose declared length is too small can be valid, and its last byte an invalid request after it. */
function isTwoRequests({ framing, body }: RawRequest): boolean {
  if (framing !== 'short') return false;
  try {
    JSON.parse(Buffer.from(body).subarray(0, -1).toString());
    return true;
  } catch {
    return false;
  }
}

/** Whether the server may wait for more of the body. */
const isIncomplete = ({ framing, headers, method }: RawRequest): boolean =>
  framing === 'long' ||
  method === 'CONNECT' ||
  (framing === 'none' && headers.some(([name]) => name === 'transfer-encoding' || name === 'content-length'));

function checkResponse({ status, headers, body }: RawResponse, { events }: Shop): void {
  const details = JSON.stringify({
    status,
    headers,
    body,
    errors: events.map(({ error }) => error instanceof Error && error.stack),
  });
  hold(status === 0 || (status >= 200 && status < 600) || status === 100, 'a response has a status', details);
  hold(
    status !== 500 && !/INTERNAL_ERROR|internal-error|-32603/.test(body),
    'no request makes the gateway fail',
    details,
  );
  for (const [, code] of body.matchAll(/"error":\{"code":"(\w+)"/g)) {
    hold(listedCodes.has(code as string), 'an error has a listed code', details);
  }
}

const isSuccess = ({ status, body }: RawResponse): boolean =>
  status === 200 &&
  (body.startsWith('{"status":"ok"') || (body.includes('"jsonrpc"') && body.includes('"structuredContent"')));
