declare module 'virtual:webmcp-forms/validators' {
  /** A function that Ajv generated. It returns whether the input is valid, and sets `errors`. */
  export interface ValidateFunction {
    (input: unknown): boolean;
    readonly errors?:
      | readonly { readonly instancePath: string; readonly keyword: string; readonly message?: string }[]
      | null;
  }

  /** A violation of the input schema. */
  export interface InputError {
    readonly path: string;
    readonly reason: string;
    readonly message: string;
  }

  /** Validates input, for `apply({ validate })` of `webmcp-forms/polyfill`. Does not need `unsafe-eval`. */
  export function validate(
    schema: object,
    tool: { readonly name: string },
  ): Promise<(input: object) => readonly InputError[]>;

  /** The functions by tool name. If tools of several pages share a name, the function is that of the first page. */
  export function loadValidators(): Promise<{ readonly validators: Readonly<Record<string, ValidateFunction>> }>;
}
