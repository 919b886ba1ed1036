/** One violation of a schema. */
export interface InputError {
  /** A JSON Pointer into the input, such as "/year". */
  readonly path: string;
  /** The violated schema keyword, such as "required". */
  readonly reason: string;
  /** A message for people and agents, such as "must be integer". */
  readonly message: string;
}

/** Returns the errors of an input; an empty list if it is valid. */
export type CheckInput = (input: object) => readonly InputError[] | PromiseLike<readonly InputError[]>;

/** Compiles a copy of the schema of a tool. Throws if the schema is invalid. */
export type Validator = (schema: object, tool: { readonly name: string }) => CheckInput | PromiseLike<CheckInput>;
