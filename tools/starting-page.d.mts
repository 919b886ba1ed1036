import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

export function startingListener(
  ready: Promise<Listener>,
  stateNow: () => string,
): (...args: Parameters<Listener>) => Promise<void>;

export function openServer(port: number): Promise<Server>;
