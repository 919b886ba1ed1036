export {
  connectWebtool,
  WebtoolError,
  type ConnectedWebtool,
  type ConnectOptions,
  type WebtoolAction,
} from './client.js';
export type { SubmitConfig } from './config.js';
export type { ClientConfig } from './config-schema.js';
export type { ConstraintCode } from './constraints.js';
export { GatewayError, type GatewayErrorCode, type InputError } from './gateway-error.js';
export { LiveManifest } from './live-manifest.js';
export { createMcpHandler, createMcpServer, type McpHandlerOptions, type McpServerOptions } from './mcp.js';
export type { GatewayEvent, GatewayOptions, OperatorConfig } from './settings.js';
export { submitForm, type SubmitFormOptions } from './submit-form.js';
export type { Storage } from './store.js';
export type { GatewayManifest, GatewayTool, ManifestJson } from './tool.js';
export type { ToolAnswer } from './tool-answer.js';
export type { Fetch, Limits } from './upstream.js';
export type { ActionMetadata, WebtoolMetadata } from './webtool.js';
export { createGateway, type WebtoolOptions } from './webtools.js';
