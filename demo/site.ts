import 'webmcp-forms/elements';

/** The detail of the event `webmcp-response`. */
interface Brought {
  readonly status: number;
  readonly url: string;
  readonly text?: string;
}

/** Shows the response that the agent received, because the page does not navigate. */
document.addEventListener('webmcp-response', ({ target, detail }: CustomEventInit<Brought> & Event) => {
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
