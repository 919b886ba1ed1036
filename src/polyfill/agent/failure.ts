/** The failure of a call. It is converted to an UnknownError of the caller's realm. */
export class Failure extends Error {}
