/** In place of `node:buffer`. Pages in the playground are texts, so that no encoding is checked. */
export const isUtf8 = (): boolean => true;

/** In place of `node:util`. */
export const getSystemErrorMap = (): ReadonlyMap<number, readonly string[]> => new Map();

/** In place of `node:module`, for the name and the version in manifests. */
export const createRequire = () => (): object => ({ name: 'webmcp-forms', version: '' });
