/** A browser without scripts, on a page of the gateway for secrets. */
export class SecretPage {
  readonly url: string;
  readonly #authorization: string | undefined;
  readonly #fetch: typeof fetch;
  cookie = '';
  html = '';
  headers = new Headers();
  status = 0;

  constructor(
    url: string,
    { token, fetch = globalThis.fetch }: { token?: string; fetch?: typeof globalThis.fetch } = {},
  ) {
    this.url = url;
    this.#fetch = fetch;
    this.#authorization = token === undefined ? undefined : `Basic ${btoa(`me:${token}`)}`;
  }

  async open(headers: Readonly<Record<string, string>> = {}): Promise<this> {
    return await this.#request({ headers: { ...headers } });
  }

  /** Types values in the order of the fields, and presses the button. */
  async send(
    values: readonly string[],
    { answer = 'send', origin = new URL(this.url).origin, ...headers }: Readonly<Record<string, string>> = {},
  ): Promise<this> {
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(this.html) ?? [];
    const typed = values.map((value, index) => [`value${index}`, value] as const);
    const body = new URLSearchParams(Object.fromEntries([['token', token], ...typed, ['answer', answer]])).toString();
    const type = 'application/x-www-form-urlencoded';
    return await this.#request({ method: 'POST', body, headers: { 'content-type': type, origin, ...headers } });
  }

  async #request(init: RequestInit & { readonly headers: Record<string, string> }): Promise<this> {
    const own = {
      ...(this.cookie && { cookie: this.cookie }),
      ...(this.#authorization && { authorization: this.#authorization }),
    };
    const response = await this.#fetch(this.url, { ...init, headers: { ...own, ...init.headers } });
    this.cookie ||= (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    this.html = await response.text();
    this.headers = response.headers;
    this.status = response.status;
    return this;
  }
}
