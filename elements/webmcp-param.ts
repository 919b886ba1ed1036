import { BaseElement, defineElement, reflect, takeEarly } from './webmcp-tool/page.js';
import { owners, type ParamOwner } from './webmcp-tool/owners.js';

const texts = {
  ...{ name: 'name', type: 'type', description: 'description', enum: 'enum', minimum: 'minimum', maximum: 'maximum' },
  ...{ pattern: 'pattern', default: 'default' },
};
const booleans = { required: 'required' };

/**
 * A parameter of the `<webmcp-tool>` that it is a child of. Of a tool with a form it describes the controls that have its
 * name; of a tool without one it declares the parameter. It shows nothing.
 *
 * @tag webmcp-param
 * @attr {string} name - the parameter's name; with a form, the name of its controls
 * @attr {string} description - what to give
 * @attr {"string" | "number" | "integer" | "boolean" | "array"} type - what it takes, a string unless said
 * @attr {boolean} required - a call without it is wrong
 * @attr {string} enum - the values that it takes: a JSON array, or values between commas, or else between white space;
 *   of an array, what its items are
 * @attr {number} minimum - of a number or an integer
 * @attr {number} maximum - of a number or an integer
 * @attr {string} pattern - of a string: a regular expression as in JSON Schema, which may match anywhere unless it has ^ and $
 * @attr {string} default - what holds when it is not given; of an array written as `enum` is
 * @attr {string} title - for people
 */
export class WebmcpParam extends BaseElement {
  static readonly observedAttributes = [...Object.values(texts), ...Object.values(booleans), 'title'];

  declare name: string;
  declare type: string;
  declare description: string;
  declare enum: string;
  declare minimum: string;
  declare maximum: string;
  declare pattern: string;
  declare default: string;
  declare required: boolean;
  #owner: ParamOwner | undefined;

  constructor() {
    super();
    takeEarly(this, [...Object.keys(texts), ...Object.keys(booleans)]);
  }

  connectedCallback(): void {
    this.#owner = this.parentElement ? owners.get(this.parentElement) : undefined;
    this.#owner?.paramsChanged();
  }

  disconnectedCallback(): void {
    this.#owner?.paramsChanged();
    this.#owner = undefined;
  }

  attributeChangedCallback(): void {
    this.#owner?.paramsChanged();
  }
}

reflect(WebmcpParam.prototype, texts, booleans);
defineElement('webmcp-param', WebmcpParam);

declare global {
  interface HTMLElementTagNameMap {
    'webmcp-param': WebmcpParam;
  }
}
