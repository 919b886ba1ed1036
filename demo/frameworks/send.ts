import type {} from 'webmcp-forms';

/** The response of an endpoint: the saved values, or errors by the name of the control. */
export interface Answer {
  readonly code?: string;
  readonly problems?: Readonly<Record<string, string>>;
}

async function post(url: string, values: object): Promise<Answer> {
  const texts = Object.entries(values).map(([name, value]) => [name, value === true ? 'yes' : String(value || '')]);
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(texts) });
  return (await response.json()) as Answer;
}

/** Sends values to an endpoint, and reports the response to the page and to the agent, if any. */
export function send(event: SubmitEvent, url: string, values: object, show: (answer: Answer) => void): void {
  const failed = { problems: { form: 'The restaurant did not answer. Try again.' } };
  const answer = post(url, values).catch((): Answer => failed);
  void answer.then(show);
  if (event.agentInvoked) event.respondWith(answer);
}
