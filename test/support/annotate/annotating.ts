import assert from 'node:assert/strict';
import { annotatePage, type AnnotateOptions } from '../../../src/annotate/annotate-page.js';
import type { PageAnnotations } from '../../../src/annotate/form-annotation.js';
import { applyInsertions } from '../../../src/annotate/tags/insertion.js';
import { knownExtensions, loadKind } from '../../../src/annotate/templates/file-kinds.js';

const kinds = new Map(
  await Promise.all(knownExtensions.map(async (extension) => [extension, await loadKind(`a.${extension}`)] as const)),
);

export interface AnnotatedText extends PageAnnotations {
  readonly text: string;
}

/** Annotates source text as the content of a file with this name. */
export function annotateText(file: string, source: string, options: Partial<AnnotateOptions> = {}): AnnotatedText {
  const kind = kinds.get(knownExtensions.find((extension) => file.endsWith(`.${extension}`)) ?? '');
  assert.ok(kind, `${file} has no kind`);
  const page = annotatePage(source, { kind, ...options });
  return {
    ...page,
    text: applyInsertions(
      source,
      page.forms.flatMap(({ insertions }) => insertions),
    ),
  };
}

const annotation =
  /\s+(?:data-)?tool(?:name|title|description|autosubmit|paramdescription)(?:=(?:"[^"]*"|'[^']*'))?(?=[\s/>{<@]|$)/g;

export const withoutAnnotations = (text: string): string => text.replace(annotation, '');

/** Checks that only annotations were added, of which the name and the parameter descriptions follow the tag name. */
export function assertOnlyAttributes(before: string, after: string, where = ''): void {
  assert.equal(withoutAnnotations(after), before, where);
  for (const [, tag = ''] of after.matchAll(/(\S*)\s+(?:data-)?tool(?:name|paramdescription)=/g))
    assert.match(tag, /<[a-zA-Z][\w-]*$/, where);
}
