export function freePort(): Promise<number>;
export function isListening(port: number): Promise<boolean>;
