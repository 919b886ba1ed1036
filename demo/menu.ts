const form = document.querySelector('#search-form') as HTMLFormElement;
const dishes = document.querySelector('#dishes') as HTMLElement;

/** An agent's search also updates the visible menu. */
form.addEventListener('webmcp-response', ({ detail }: CustomEventInit<{ readonly url: string }>) => {
  if (detail) void show(detail.url);
});

async function show(url: string): Promise<void> {
  const text = await (await fetch(url)).text();
  const found = new DOMParser().parseFromString(text, 'text/html').querySelector('#dishes');
  dishes.replaceChildren(...(found?.childNodes ?? []));
  history.replaceState(null, '', url);
}
