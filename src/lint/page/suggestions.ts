import { readForms, type Scope } from '../../compiler/index.js';
import { suggestAnnotations, type FormSuggestion } from '../../suggest/index.js';
import type { Parse5Element, Parse5Page } from '../../parse5/parse5-tree.js';
import type { ToolReading } from '../../site/tools/read-form.js';

/** The suggestions for the forms of a page, each with a name of its own. */
export class Suggestions {
  readonly #page: Parse5Page;
  readonly #takenNames: Set<string>;
  #scopes: ReadonlyMap<Parse5Element, Scope<Parse5Element>> | undefined;

  constructor(page: Parse5Page, tools: readonly ToolReading[]) {
    this.#page = page;
    this.#takenNames = new Set(tools.flatMap(({ form }) => form.tool.name ?? []));
  }

  /** The suggestion for a form. Each form of the page should be asked for once, in the order of the page. */
  of(form: Parse5Element): FormSuggestion<Parse5Element> | null {
    const { tree, document } = this.#page;
    this.#scopes ??= new Map(readForms(tree, document).map((found) => [found.form, found.scope]));
    const scope = this.#scopes.get(form);
    const suggestion = suggestAnnotations(tree, form, { takenNames: this.#takenNames, ...(scope && { scope }) });
    if (suggestion) this.#takenNames.add(suggestion.toolName.value);
    return suggestion;
  }
}
