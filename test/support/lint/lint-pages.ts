import { corpus } from '../../corpus.mjs';

/** A published page with the annotations of a site author. */
export interface PublishedPage {
  readonly name: string;
  readonly html: string;
}

const annotations = / toolname="[^"]*" tooldescription="[^"]*"/;

/**
 * The pages of govuk-frontend and USWDS. A form with a question is named after its component, described by the question,
 * and has a submit button. The other forms have no annotations.
 */
export const publishedPages = (): readonly PublishedPage[] =>
  corpus().published.map(({ name, page }) => {
    const question = questionOf(page);
    if (question === '') return { name, html: page.replace(annotations, '') };
    const description = `Sends the answer of one person to the question: ${question}`;
    const html = page.replace(annotations, () => ` toolname="${toolNameOf(name)}" tooldescription="${description}"`);
    return { name, html: hasSubmitButton(html) ? html : html.replace(/<\/form>/, '<button>Continue</button></form>') };
  });

const toolNameOf = (name: string): string =>
  `fill_${name.split(' ').slice(1, 3).join('_')}`.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 30);

/** The first legend or label of a form. */
function questionOf(page: string): string {
  const [, , content = ''] = /<(legend|label)\b[^>]*>([\s\S]*?)<\/\1>/.exec(page) ?? [];
  const text = content.replace(/<[^>]*>/g, ' ').replace(/[\s"&]+/g, ' ');
  return text.trim().slice(0, 100);
}

const hasSubmitButton = (html: string): boolean =>
  /<button\b(?![^>]*\btype="?(?:button|reset))(?![^>]*\bdisabled)|<input\b[^>]*type="?submit/.test(html);
