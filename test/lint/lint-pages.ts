import { corpus } from '../corpus.mjs';

/** A published page as an author of a site would have it. */
export interface PublishedPage {
  readonly name: string;
  readonly html: string;
}

const placeholder = / toolname="[^"]*" tooldescription="[^"]*"/;

/**
 * The pages of govuk-frontend and USWDS: each form that asks something is named after its component and described by its
 * question, with a submit button where the component has none; the others have no annotation.
 */
export const publishedPages = (): readonly PublishedPage[] =>
  corpus().published.map(({ name, page }) => {
    const question = questionOf(page);
    if (question === '') return { name, html: page.replace(placeholder, '') };
    const description = `Sends the answer of one person to the question: ${question}`;
    const html = page.replace(placeholder, () => ` toolname="${toolNameOf(name)}" tooldescription="${description}"`);
    return { name, html: hasSubmitButton(html) ? html : html.replace(/<\/form>/, '<button>Continue</button></form>') };
  });

const toolNameOf = (name: string): string =>
  `fill_${name.split(' ').slice(1, 3).join('_')}`.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 30);

/** What a form asks: its first legend or label. */
function questionOf(page: string): string {
  const [, , said = ''] = /<(legend|label)\b[^>]*>([\s\S]*?)<\/\1>/.exec(page) ?? [];
  const text = said.replace(/<[^>]*>/g, ' ').replace(/[\s"&]+/g, ' ');
  return text.trim().slice(0, 100);
}

const hasSubmitButton = (html: string): boolean =>
  /<button\b(?![^>]*\btype="?(?:button|reset))(?![^>]*\bdisabled)|<input\b[^>]*type="?submit/.test(html);
