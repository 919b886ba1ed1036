export { createCapacity, type Capacity, type CapacityLimits } from './concurrency/capacity.js';
export type { ClientConfig } from './webtools/config-schema.js';
export type { ConstraintCode, Fetch, PageReader, SubmitConfig } from 'webmcp-forms/headless';
export { GatewayError, type GatewayErrorCode, type InputError } from './gateway-error.js';
export { LiveManifest } from './live-manifest.js';
export {
  createMcpHandler,
  createMcpServer,
  type McpHandlerOptions,
  type McpServerOptions,
  type PagePlace,
} from './mcp/index.js';
export type { GatewayEvent, GatewayOptions, OperatorConfig } from './settings.js';
export { submitForm, type SubmitFormOptions } from './submit-form.js';
export type { Storage } from './stores/store.js';
export type { GatewayManifest, GatewayTool, ManifestJson } from './manifest.js';
export type { ToolAnswer } from 'webmcp-forms/client';
export type { Limits } from './upstream/send-request.js';
export type { ActionMetadata, WebtoolMetadata } from './webtools/webtool.js';
export { createGateway, type WebtoolOptions } from './webtools/handler.js';
