export { createMcpHandler, type McpHandlerOptions } from './handler.js';
export { createMcpServer, type McpServerOptions } from './server.js';
