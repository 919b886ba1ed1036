export type { ToolAnswer } from './answer.js';
export type { SubmitConfig } from './config.js';
export type { ConstraintCode } from './constraints.js';
export { GatewayError, type GatewayErrorCode, type InputError } from './gateway-error.js';
export { submitForm, type SubmitFormOptions } from './submit-form.js';
export type { GatewayTool } from './tool.js';
export type { Fetch, Limits } from './upstream.js';
