/**
 * Renames elements that browsers connect to servers for, before the policy of the frame blocks them. A tag contains its
 * name as it is written here, of attributes with the same name the first one counts, and `noembed` is parsed as `iframe`
 * is. Text and values that look like such tags are changed too, which `restoreText` undoes.
 */
export const withInertTags = (source: string): string =>
  source
    .replace(/<(meta|link)(?=[\t\n\f\r /])/gi, '<meta http-equiv=inert-$1 ')
    .replace(/<(\/?)(iframe)(?=[\t\n\f\r />])/gi, '<$1noembed inert-$2 ')
    .replace(/<(frame)(?=[\t\n\f\r /])/gi, '<frame src=about:blank inert-$1 ');

const inertTag = /<(\/?)(?:meta http-equiv=|noembed |frame src=about:blank )inert-(\w+) /g;

/** Returns text or a value of the frame's document as the page has it. */
export const restoreText = (text: string): string => text.replace(inertTag, '<$1$2');
