/** The order that a page sends to its server, with a VAT number if the buyer is a company. */
export interface Order {
  readonly kind: string;
  readonly mail: string;
  readonly vat?: string;
}

type Values = { readonly [Name in keyof Order]?: string | undefined };

/** The messages of the page about invalid values, by field. */
export type Problems = Partial<Record<'mail' | 'vat', string>>;

export const checkMail = (mail = ''): string | undefined => (mail === '' ? 'We need your e-mail address.' : undefined);
export const checkVat = (vat = ''): string | undefined =>
  /^[A-Z]{2}/.test(vat) ? undefined : 'A VAT number starts with two letters.';

export function problemsOf({ kind, mail, vat }: Values): Problems {
  const [noMail, noVat] = [checkMail(mail), kind === 'company' ? checkVat(vat) : undefined];
  return { ...(noMail && { mail: noMail }), ...(noVat && { vat: noVat }) };
}

/** An order without the values of fields that the page does not show. */
export const orderOf = ({ kind = '', mail = '', vat = '' }: Values): Order => ({
  kind,
  mail,
  ...(kind === 'company' && { vat }),
});

export const none: Order & { readonly vat: string } = { kind: '', mail: '', vat: '' };
export const confirmation = 'Thank you for your order.';

/** The attributes of the form, which is the tool `t` in every browser. */
export const toolAttributes = { 'data-toolname': 't', 'data-tooldescription': 'd', 'data-toolautosubmit': '' };
export const toolMarkup = 'data-toolname="t" data-tooldescription="d" data-toolautosubmit';
export const kindOptions =
  '<option value="">Choose</option><option value="person">Person</option><option value="company">Company</option>';

/** Sends the orders of a page to the server. */
export class Shop {
  readonly orders: Order[] = [];
  /** Whether the page resets its form after an order. */
  readonly resets: boolean;
  readonly #delayMs: number;

  /** @param delayMs - the time after which the page reads its form */
  constructor(resets: boolean, delayMs: number) {
    this.resets = resets;
    this.#delayMs = delayMs;
  }

  async order(read: () => Order): Promise<void> {
    if (this.#delayMs > 0) await new Promise((resolve) => void setTimeout(resolve, this.#delayMs));
    const response = await fetch('/echo', { method: 'POST', body: JSON.stringify(read()) });
    const { body } = (await response.json()) as { readonly body: string };
    this.orders.push(JSON.parse(body) as Order);
  }
}

/** Renders the form of an order into a container. Returns a function that removes it. */
export type MountOrder = (container: HTMLElement, shop: Shop) => Promise<() => void> | (() => void);
