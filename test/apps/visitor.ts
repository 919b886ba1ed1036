export interface Cookie {
  readonly name: string;
  readonly value: string;
}

const maxRedirects = 10;

/** A visitor of a site: sends requests over HTTP with the cookies of earlier responses. */
export class Visitor {
  readonly site: string;
  readonly #cookies = new Map<string, string>();

  constructor(site: string) {
    this.site = site;
  }

  get cookies(): readonly Cookie[] {
    return [...this.#cookies].map(([name, value]) => ({ name, value }));
  }

  cookie(name: string): string {
    return this.#cookies.get(name) ?? '';
  }

  /** Sends a request and follows the redirects of the site. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    let url = new URL(path, this.site);
    let sent = init;
    for (let count = 0; count < maxRedirects; count++) {
      const response = await this.#send(url, sent);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      url = new URL(location, url);
      sent = {};
    }
    throw new Error(`${path} redirects more than ${maxRedirects} times.`);
  }

  /** The HTML of a page. */
  async read(path: string): Promise<string> {
    const response = await this.request(path);
    const html = await response.text();
    if (response.ok) return html;
    throw new Error(`${path} responds with ${response.status}: ${html.slice(0, 2000)}`);
  }

  /** Submits the fields of a form with POST. */
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const headers = { referer: new URL(path, this.site).href };
    return this.request(path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  }

  async #send(url: URL, init: RequestInit): Promise<Response> {
    const cookie = this.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Readonly<Record<string, string>>), cookie };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#store(line);
    return response;
  }

  #store(line: string): void {
    const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(line) ?? [];
    if (/; *max-age=0|; *expires=[^;]*19[0-9]{2}|=deleted/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
