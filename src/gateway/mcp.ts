export { createMcpHandler, type McpHandlerOptions } from './mcp/handler.js';
export { createMcpServer, type McpServerOptions } from './mcp/server.js';
