/** Ajv is CommonJS: the runner serves this module as a bundle. */
export { Ajv2020 } from 'ajv/dist/2020.js';
export { default as formats } from 'ajv-formats';
