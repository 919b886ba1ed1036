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

  /** For `apply({ validate })` of `webmcp-forms/polyfill`. Does not need `unsafe-eval`. */
  export function validate(
    schema: object,
    tool: { readonly name: string },
  ): Promise<(input: object) => readonly InputError[]>;

  /** The functions by the names of the tools. If pages share a name, the function of the first page. */
  export function loadValidators(): Promise<{ readonly validators: Readonly<Record<string, ValidateFunction>> }>;
}
