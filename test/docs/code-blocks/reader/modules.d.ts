/** Modules that the code blocks import, and that are not installed here. */

declare module '*/webmcp.json' {
  /** Any manifest. */
  const manifest: never;
  export default manifest;
}

declare module 'langchain' {
  export function createAgent(options: { model: unknown; tools: readonly object[] }): object;
}
