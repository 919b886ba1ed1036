export interface Entry {
  note(text: string): void;
  data(label: string, value: unknown): void;
  end(state: 'done' | 'failed' | 'stopped', milliseconds: number): void;
}

const most = 1500;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  created.append(...content);
  return created;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return text.length > most ? `${text.slice(0, most)}\n... and ${text.length - most} characters more` : text;
}

function block(label: string, value: unknown): HTMLElement {
  const details = element('details', element('summary', label), element('pre', shown(value)));
  details.open = shown(value).length < 600;
  return details;
}

const words = { done: 'Done', failed: 'Failed', stopped: 'Stopped' };

export function addEntry(log: HTMLOListElement, title: string): Entry {
  const time = element('span', 'Running');
  time.className = 'time';
  const item = element('li', element('h3', title), time);
  log.append(item);
  const add = (child: HTMLElement): void => {
    item.append(child);
    log.parentElement?.scrollTo({ top: log.offsetHeight }); // scrollIntoView would scroll the page away from the site
  };
  return {
    note: (text) => add(element('p', text)),
    data: (label, value) => add(block(label, value)),
    end: (state, milliseconds) => {
      item.dataset['state'] = state;
      time.textContent = `${words[state]}, ${Math.round(milliseconds)} ms`;
    },
  };
}
