/** The policy of the frame: nothing is loaded, and nothing is sent. */
const policy = (scripts: string, styles: string): string =>
  [
    "default-src 'none'",
    `style-src ${styles}`,
    'img-src data:',
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    `script-src ${scripts}`,
  ].join('; ');

/** What the policy of the frame allows the page. */
export interface FramePolicy {
  readonly runsScripts: boolean;
  readonly appliesStyles: boolean;
}

/** Creates the URL of the frame's first document, which has only the script of the playground. */
export function createFrameUrl(script: string, { runsScripts, appliesStyles }: FramePolicy): string {
  const nonce = crypto.randomUUID();
  const inline = "'unsafe-inline'";
  const trustedTypes = runsScripts ? "; require-trusted-types-for 'script'; trusted-types default playground" : '';
  const content = policy(runsScripts ? inline : `'nonce-${nonce}'`, appliesStyles ? inline : "'none'") + trustedTypes;
  const html = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${content}"><script nonce="${nonce}">${escapeScript(script)}</script>`;
  return URL.createObjectURL(new Blob([html], { type: 'text/html' }));
}

/** Texts that would end the script element or begin a comment in it can only be in strings and regular expressions. */
const escapeScript = (script: string): string => script.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');

/** Frames of this page, and frames in these, cannot open other pages. */
const pagePolicy = "frame-src blob:; object-src 'none'";

/** Adds the policy to this page, which keeps it until it is closed: other pages of the site have no frames. */
export function restrictFrames(): void {
  if ([...document.head.querySelectorAll('meta')].some(({ content }) => content === pagePolicy)) return;
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = pagePolicy;
  document.head.append(meta);
}
