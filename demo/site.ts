import 'webmcp-forms/elements';

/** What a form sent in place has brought, as its event `webmcp-response` says it. */
interface Brought {
  readonly status: number;
  readonly url: string;
  readonly text?: string;
}

/** A page that keeps its place shows what the agent got. */
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
