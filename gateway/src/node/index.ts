export { createNodeFetch, type Lookup, type NodeFetchOptions } from 'webmcp-forms/node-fetch';
export { openRateLimiter, type RateLimit, type RateLimiter, type RateLimiterOptions } from './access/rate-limit.js';
export type { OAuthOptions } from './access/oauth/oauth.js';
export type { Token } from './access/tokens.js';
export { createPageReader, type NodePageReader, type PageReaderOptions } from './pages/page-reader.js';
export { serve, type Served, type ServeOptions } from './serve.js';
export { serveStdio, type ServeStdioOptions } from './serve-stdio.js';
export { openStore, type OpenStore } from './stores.js';
