import {
  pageWith,
  siteForms,
  visitorCases,
  type LiveOutcome,
  type SiteForm,
  type VisitorCase,
} from '../generators/visitors.js';
import { ChromiumPage } from '../run/chromium.js';
import { hold, outcomeOf, type Outcome, type Target } from '../target.js';
import { checkPage } from './identity.js';

/**
 * With any markup of visitors that DOMPurify keeps, a page submits the form of the site, or nothing, and so does a
 * gateway, also if the markup is in the form.
 */
export const liveIdentity: Target<VisitorCase> = {
  name: 'live-identity',
  cases: visitorCases,
  batch: 100,
  inBrowser: true,
  open: async () => {
    const page = await ChromiumPage.open('live-identity');
    return {
      run: async (cases, begin) => {
        const live = page.call<readonly LiveOutcome[]>('liveIdentity', cases, 20_000 + cases.length * 300);
        live.catch(() => undefined);
        const outcomes: Outcome[] = [];
        for (const [index, each] of cases.entries()) {
          begin(index);
          outcomes.push(await outcomeOf(async () => check(each, (await live)[index] as LiveOutcome)));
        }
        return outcomes;
      },
      close: () => page.close(),
    };
  },
};

async function check({ site: index }: VisitorCase, { failure, markups }: LiveOutcome): Promise<void> {
  hold(failure === undefined, 'what a page submits is the form of the site', failure);
  const site = siteForms[index] as SiteForm;
  await checkPage(site, pageWith(site, 'new', markups));
}
