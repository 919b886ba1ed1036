/** The markup of a page for the frame. */
export interface InertMarkup {
  readonly text: string;
  /** Part of the names of what was changed. It is different for each page, so that no page contains it. */
  readonly marker: string;
}

export const createMarker = (): string => `inert-${crypto.randomUUID()}`;

/** The attribute that has the pattern of a control whose `pattern` was replaced. */
export const patternAttribute = (marker: string): string => `data-${marker}-pattern`;

/**
 * Renames elements that browsers connect to servers for, before the policy of the frame blocks them. A tag contains its
 * name as it is written here, of attributes with the same name the first one counts, and `noembed` is parsed as `iframe`
 * is. Text and values that look like such tags are changed too, which `restoreText` undoes.
 */
export const withInertTags = (source: string, marker: string): InertMarkup => ({
  text: source
    .replace(/<(meta|link)(?=[\t\n\f\r /])/gi, `<meta http-equiv=${marker}-$1 `)
    .replace(/<(\/?)(iframe)(?=[\t\n\f\r />])/gi, `<$1noembed ${marker}-$2 `)
    .replace(/<(frame)(?=[\t\n\f\r /])/gi, `<frame src=about:blank ${marker}-$1 `),
  marker,
});

/** Removes the references between vector images, which browsers resolve when they parse, however many copies that makes. */
export const withoutReferences = ({ text, marker }: InertMarkup): string =>
  text.replace(/<(use)(?=[\t\n\f\r />])/gi, `<use href="" ${marker}-$1 `);

/** Returns text or a value of the frame's document as the page has it. */
export const restoreText = (text: string, marker: string): string =>
  text.replace(
    new RegExp(`<(/?)(?:meta http-equiv=|noembed |frame src=about:blank |use href="" )${marker}-(\\w+) `, 'g'),
    '<$1$2',
  );
