export { createMcpHandler, type McpHandlerOptions } from './handler.js';
export { isSecretPage } from './ask/secrets/answer-page.js';
export type { PagePlace } from './ask/secrets/secret-questions.js';
export { createMcpServer, type McpServerOptions } from './server.js';
