import { examples } from './examples.js';
import type { Playground } from './playground.js';
import type { PageFinding } from './reading.js';
import { restrictFrames } from './sandbox/frame-document.js';
import { areFramesIsolated } from './sandbox/is-isolated.js';
import { sharedText } from './share/open-shared.js';

export interface Place {
  readonly editor: HTMLElement;
  readonly frame: HTMLElement;
  /** Returns the URL of the page about a lint rule. */
  readonly ruleUrl: (code: string) => string | undefined;
}

/** Loads the parts of the playground, and starts it with the page of the URL or the first example. */
export async function startPlayground(playground: Playground, { editor, frame, ruleUrl }: Place): Promise<void> {
  restrictFrames();
  const [{ Editor }, { frameScript }, isIsolated, shared] = await Promise.all([
    import('./editor/editor.js'),
    import('virtual:playground-frame'),
    areFramesIsolated(),
    sharedText(playground, location.hash),
    import('../../../elements/webmcp-inspector.js'),
  ]);
  if (!editor.isConnected) return;
  playground.start({
    frameParent: frame,
    frameScript,
    isIsolated,
    createEditor: (onChange) =>
      new Editor(editor, {
        text: shared ?? examples[0].html,
        label: 'HTML of your page',
        onChange,
        renderFinding: (finding) => renderFinding(finding, ruleUrl(finding.code)),
      }),
  });
}

function renderFinding({ code, message }: PageFinding, url: string | undefined): Node {
  const paragraph = document.createElement('p');
  paragraph.append(message);
  if (url === undefined) return paragraph;
  const link = document.createElement('a');
  [link.href, link.textContent] = [url, code];
  paragraph.append(' ', link);
  return paragraph;
}
