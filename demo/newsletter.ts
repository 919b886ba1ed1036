import type {} from 'webmcp-forms';

interface Answer {
  readonly message?: string;
  readonly problems?: Readonly<Record<string, string>>;
}

const form = document.querySelector('#newsletter-form') as HTMLFormElement;
const answer = document.querySelector('#newsletter-answer') as HTMLElement;

async function subscribe(data: FormData): Promise<Answer> {
  const body = new URLSearchParams(
    [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const response = await fetch(form.action, { method: 'POST', body, headers: { accept: 'application/json' } });
  if (!response.ok && response.status !== 422) throw new Error(`The newsletter answered ${response.status}.`);
  return (await response.json()) as Answer;
}

async function subscribeAndSay(data: FormData): Promise<Answer> {
  const result = await subscribe(data).catch(() => ({ problems: { email: 'The kitchen did not answer. Try again.' } }));
  answer.textContent = 'message' in result ? (result.message ?? '') : Object.values(result.problems ?? {}).join(' ');
  return result;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const result = subscribeAndSay(new FormData(form, event.submitter));
  if (event.agentInvoked) event.respondWith(result);
});
