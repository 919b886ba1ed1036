const form = document.querySelector('#search-form') as HTMLFormElement;
const dishes = document.querySelector('#dishes') as HTMLElement;

/** Shows the results of an agent's search in the page. */
form.addEventListener('webmcp-response', ({ detail }: CustomEventInit<{ readonly url: string }>) => {
  if (detail) void show(detail.url);
});

async function show(url: string): Promise<void> {
  const text = await (await fetch(url)).text();
  const found = new DOMParser().parseFromString(text, 'text/html').querySelector('#dishes');
  dishes.replaceChildren(...(found?.childNodes ?? []));
  history.replaceState(null, '', url);
}
