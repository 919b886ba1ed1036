export class WebKitDriver {
  start(): Promise<void>;
  open(url: string): Promise<void>;
  evaluate(page: string): Promise<unknown>;
  press(...keys: readonly string[]): Promise<void>;
  screenshot(): Promise<Buffer>;
  stop(): Promise<void>;
}
