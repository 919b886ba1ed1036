export { createNodeFetch, type Lookup, type NodeFetchOptions } from './fetch.js';
export { openRateLimiter, type RateLimit, type RateLimiter, type RateLimiterOptions } from './rate-limit.js';
export { serve, type Served, type ServeOptions } from './serve.js';
export { serveStdio, type ServeStdioOptions } from './serve-stdio.js';
export { openStore, type OpenStore } from './stores.js';
