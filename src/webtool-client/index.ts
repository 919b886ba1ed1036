export type { Call, CallOptions, NextForm, ToolAnswer, Warning } from './calls.js';
export { connectWebtool, type ConnectedWebtool, type ConnectOptions } from './connect.js';
export type { WebtoolFetch } from './exchange.js';
export type { WebtoolAction } from './metadata.js';
export type { ActionContext, RegisteredAction } from './register.js';
export type { TrustStore } from './trust.js';
export { WebtoolError, type WrongParameter } from './webtool-error.js';
