/** A template that cannot be parsed, and therefore is not changed. The message continues "it cannot be read: ". */
export class TemplateError extends Error {
  readonly at: number;

  /** @param at - the offset in the source */
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
