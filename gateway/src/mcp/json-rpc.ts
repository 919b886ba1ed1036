interface RpcFailure {
  readonly status: number;
  /** @default -32000, a server error */
  readonly code?: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** https://www.jsonrpc.org/specification#error_object */
export const rpcFailure = ({ status, code = -32000, message, headers = {} }: RpcFailure): Response =>
  new Response(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** A request that is refused before the protocol handles it. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  /** The code for the log. */
  readonly code: string;
  readonly failure: RpcFailure;

  constructor(code: string, failure: RpcFailure) {
    super(failure.message);
    this.code = code;
    this.failure = failure;
  }
}
