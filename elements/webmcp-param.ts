import {
  attributeNames,
  BaseElement,
  defineElement,
  paramListeners,
  reflect,
  upgradeProperties,
} from './webmcp-tool/element-base.js';

const strings = ['name', 'type', 'description', 'enum', 'minimum', 'maximum', 'pattern', 'default'];
const booleans = ['required'];

/**
 * A parameter of the parent `<webmcp-tool>`. For a tool with a form it describes the controls of its name; for a tool
 * without a form it declares the parameter. It is not rendered.
 *
 * @tag webmcp-param
 * @attr {string} name - the name of the parameter; with a form, the name of its controls
 * @attr {string} description - the description of the parameter
 * @attr {"string" | "number" | "integer" | "boolean" | "array"} type - the type of the value; `string` by default
 * @attr {boolean} required - whether the parameter is required
 * @attr {string} enum - the allowed values, or those of the items of an array: a JSON array, or a list separated by commas or
 *   by white space
 * @attr {number} minimum - the minimum of a number or an integer
 * @attr {number} maximum - the maximum of a number or an integer
 * @attr {string} pattern - a regular expression for a string, as in JSON Schema: unanchored unless it has ^ and $
 * @attr {string} default - the default value; for an array a list as in `enum`
 * @attr {string} title - the title of the parameter
 */
export class WebmcpParam extends BaseElement {
  static readonly observedAttributes = [...attributeNames(...strings, ...booleans), 'title'];

  declare name: string;
  declare type: string;
  declare description: string;
  declare enum: string;
  declare minimum: string;
  declare maximum: string;
  declare pattern: string;
  declare default: string;
  declare required: boolean;
  #changed: (() => void) | undefined;

  constructor() {
    super();
    upgradeProperties(this, [...strings, ...booleans]);
  }

  connectedCallback(): void {
    this.#changed = this.parentElement ? paramListeners.get(this.parentElement) : undefined;
    this.#changed?.();
  }

  disconnectedCallback(): void {
    this.#changed?.();
    this.#changed = undefined;
  }

  attributeChangedCallback(): void {
    this.#changed?.();
  }
}

reflect(WebmcpParam.prototype, strings, booleans);
defineElement('webmcp-param', WebmcpParam);

declare global {
  interface HTMLElementTagNameMap {
    'webmcp-param': WebmcpParam;
  }
}
