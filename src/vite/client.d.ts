declare module 'virtual:webmcp-forms/validators' {
  /** What Ajv makes of a schema: says whether an input fits, and leaves what is wrong in `errors`. */
  export interface ValidateFunction {
    (input: unknown): boolean;
    readonly errors?:
      readonly { readonly instancePath: string; readonly keyword: string; readonly message?: string }[] | null;
  }

  /** One thing that is wrong with an input. */
  export interface InputError {
    readonly path: string;
    readonly reason: string;
    readonly message: string;
  }

  /** For `apply({ validate })` of `webmcp-forms/polyfill`. It needs no `unsafe-eval`. */
  export function validate(
    schema: object,
    tool: { readonly name: string },
  ): Promise<(input: object) => readonly InputError[]>;

  /** The functions by the names of the tools, for other uses. Where pages share a name, the first page's. */
  export function loadValidators(): Promise<{ readonly validators: Readonly<Record<string, ValidateFunction>> }>;
}
