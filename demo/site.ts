import 'webmcp-forms/elements';

interface ResponseDetail {
  readonly status: number;
  readonly url: string;
  readonly text?: string;
}

/** Shows the agent's response, because the page does not navigate. */
document.addEventListener('webmcp-response', ({ target, detail }: CustomEventInit<ResponseDetail> & Event) => {
  const answer = (target as Element).querySelector('.answer');
  if (answer) answer.textContent = detail?.text ?? '';
});

function openDrawer(): void {
  const drawer = document.querySelector<HTMLDetailsElement>('#tools');
  if (location.hash !== '#tools' || !drawer) return;
  drawer.open = true;
  drawer.querySelector('summary')?.focus();
}

addEventListener('hashchange', openDrawer);
openDrawer();
