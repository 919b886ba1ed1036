import DOMPurify from 'dompurify';
import { startForms } from '../../../src/browser/forms/start-forms.js';
import { discoverForms, type DiscoveredRoot } from '../../../src/browser/discovery/discover-forms.js';
import { settingsOf } from '../../../src/browser/settings.js';
import { LazyPart } from '../../../src/platform/lazy-part.js';
import { apply } from '../../../src/polyfill/index.js';
import { siteForms, type LiveOutcome, type SiteForm, type VisitorCase } from '../generators/visitors.js';

const host = apply();

/** Calls the tool of each page, in which visitors have written sanitized markup outside of the form. */
export async function liveIdentity(cases: readonly VisitorCase[]): Promise<readonly LiveOutcome[]> {
  const outcomes: LiveOutcome[] = [];
  for (const { site: index, markups } of cases) {
    const site = siteForms[index] as SiteForm;
    const clean = markups.map((each) => DOMPurify.sanitize(each));
    const [before = '', , after = ''] = clean;
    const failure = await failureOf(site, [before, '', after]);
    outcomes.push({ markups: clean, ...(failure !== undefined && { failure }) });
  }
  return outcomes;
}

/** A submission. An equal form of a visitor may be submitted instead of the form of the site. */
interface Submission {
  readonly isByAgent: boolean;
  readonly action: string;
  readonly entries: readonly string[];
}

async function failureOf(site: SiteForm, markups: readonly string[]): Promise<string | undefined> {
  const expected = await submissionsOf(site, []);
  const actual = await submissionsOf(site, markups);
  // A form with a password waits for the user.
  if (expected.length !== (site.values ? 0 : 1))
    return `the page of the site is not submitted: ${JSON.stringify(expected)}`;
  const isSame = actual.every((each) => JSON.stringify(each) === JSON.stringify(expected[0]));
  return isSame && actual.length <= 1 ? undefined : JSON.stringify({ markups, expected, actual });
}

/** The submissions of one call of the site's tool; none if the tool is not registered, or the call is refused. */
async function submissionsOf(site: SiteForm, markups: readonly string[]): Promise<readonly Submission[]> {
  const container = document.createElement('div');
  container.innerHTML = site.page('token').replace(/SLOT(\d)/g, (_, slot: string) => markups[Number(slot)] ?? '');
  const submissions: Submission[] = [];
  const onSubmit = (event: SubmitEvent): void => {
    const form = event.target as HTMLFormElement;
    const entries = [...new FormData(form, event.submitter)].map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : value.name}`,
    );
    const action = String(Reflect.get(HTMLFormElement.prototype, 'action', form));
    submissions.push({ isByAgent: event.agentInvoked, action, entries: entries.sort() });
    event.preventDefault();
    if (event.agentInvoked) event.respondWith(Promise.resolve('received'));
  };
  const controller = new AbortController();
  container.addEventListener('submit', onSubmit);
  document.body.append(container);
  try {
    const forms = new LazyPart(() => ({
      startForms: (noticed: DiscoveredRoot) =>
        startForms(noticed, { ...settingsOf(noticed.options), optionsTimeoutMs: 60 }),
    }));
    discoverForms(container, { host, signal: controller.signal, profile: 'precise', awaitUser: 20 }, forms);
    const tools = await document.modelContext.getTools();
    for (const tool of tools.filter(({ name }) => name === site.name))
      await document.modelContext.executeTool(tool, { ...site.input, ...site.values }).catch(() => undefined);
    return submissions;
  } finally {
    controller.abort();
    container.remove();
  }
}
