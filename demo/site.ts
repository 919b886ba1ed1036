import 'webmcp-forms/elements';

interface ResponseDetail {
  readonly url: string;
  readonly text?: string;
}

/** The content of the answer page at a URL, without its buttons; undefined if it is another page. */
async function answerAt(url: string): Promise<readonly Node[] | undefined> {
  const page = new DOMParser().parseFromString(await (await fetch(url)).text(), 'text/html');
  const answer = page.querySelector('#answer');
  for (const buttons of answer?.querySelectorAll('.buttons') ?? []) buttons.remove();
  return answer ? [...answer.childNodes] : undefined;
}

/** Shows the response to the agent's call, because the page does not navigate. */
document.addEventListener('webmcp-response', ({ target, detail }: CustomEventInit<ResponseDetail> & Event) => {
  const shown = (target as Element).querySelector('.answer');
  if (!shown || !detail) return;
  void answerAt(detail.url).then((content) => shown.replaceChildren(...(content ?? [detail.text ?? ''])));
});

const panel = document.querySelector<HTMLDialogElement>('#tools');
const opener = document.querySelector('.to-tools');

/**
 * Opens or closes the panel of tools beside the page, which stays usable. Opening focuses the first button of the
 * panel.
 */
function togglePanel(): void {
  if (panel?.open) panel.close();
  else panel?.show();
  if (opener && panel) opener.ariaExpanded = String(panel.open);
}

opener?.addEventListener('click', togglePanel);
panel?.querySelector('button')?.addEventListener('click', togglePanel);
panel?.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) togglePanel();
});
