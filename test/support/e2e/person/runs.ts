import type { Page } from 'playwright-core';
import { compileHtml } from '../../../../src/site/compile-html.js';
import { createNodeFetch } from '../../../../src/http/node-fetch.js';
import { GatewayError, submitForm, type GatewayTool } from '../../../../gateway/src/index.js';
import { actAsPerson, NotOffered, pressSubmit, runSteps, untilReady } from './act-as-person.js';
import type { CaseSite, Sender, ServedPage } from './case-site.js';
import type { CaseError, CaseFile, Result, SentRequest } from './corpus.js';
import type { Place } from './place.js';
import type { ControlRecord } from './recorder.js';

/** The end of a submission. */
export interface Ending {
  readonly request: (SentRequest & Sender) | null;
  /** The reasons for which nothing was sent. */
  readonly errors?: readonly CaseError[];
  /** The controls before the submission. The gateway has none. */
  readonly controls?: readonly ControlRecord[] | undefined;
}

/** A case of a file, or a generated case. */
export type RunCase = Omit<CaseFile, 'description'> & { readonly html: string };

const servedPage = ({ path = '/folder/page', answer }: RunCase, html: string): ServedPage => ({ path, html, answer });

/** Whether a person or a live call sends a request according to the case. */
function sends(run: 'person' | 'live', one: RunCase): boolean {
  const listed = one[run];
  const { request, errors }: Result = listed && (listed.errors ?? listed.request !== undefined) ? listed : one;
  return request !== null && !errors;
}

/** Waits for the page of the answer, which would otherwise interrupt the navigation to the next case. */
const leaving = async ({ page }: Place, { answer }: RunCase): Promise<unknown> =>
  answer && (await page.waitForEvent('framenavigated', { timeout: 0 }));

/** A person fills the form of a page without our script, and submits it. */
export async function submitAsPerson(place: Place, one: RunCase): Promise<Ending> {
  const { url, request } = place.site.serve(servedPage(one, one.html));
  const isEnded = place.signals.next(sends('person', one) ? 'invalid' : 'ended');
  await place.goto(url);
  const isLeft = leaving(place, one);
  try {
    if (one.steps) await runSteps(place.page, one.steps);
    else await actAsPerson(place.page, one.input);
  } catch (error) {
    if (error instanceof NotOffered) return { request: null, errors: [] };
    throw error;
  }
  const end = await Promise.race([request, isEnded]);
  await isLeft;
  if (typeof end !== 'string') return { request: end, controls: await place.controls };
  return { request: null, ...(end === 'invalid' && { errors: [] }), controls: await place.controls };
}

const scriptTag = '<script src=/script data-profile=precise></script>';

/** Adds the tag before everything else in the page, as an author does. */
const withScript = (html: string): string => html.replace(/^<!doctype html>/i, (doctype) => doctype + scriptTag);

/** Calls the tool of a page with our script. Resolves with the errors of a call that is refused. */
const callTool = (page: Page, { tool, input }: RunCase): Promise<readonly CaseError[] | null> =>
  page.evaluate(
    async ([name, text]) => {
      const value = JSON.parse(text) as object;
      const tools = await document.modelContext.getTools();
      const found = tools.find((each) => each.name === name);
      if (!found) throw new Error(`The page has no tool ${name}.`);
      try {
        await document.modelContext.executeTool(found, value);
        return null;
      } catch (error) {
        const { errors } = error as { readonly errors?: readonly CaseError[] };
        if (!errors) throw error;
        return errors.map(({ parameter, code }) => ({ parameter, code }));
      }
    },
    [tool, JSON.stringify(input)] as const, // Playwright omits members named __proto__
  );

/** An agent calls the tool of the page with our script. */
export async function submitAsAgent(place: Place, one: RunCase): Promise<Ending> {
  const { url, request } = place.site.serve(servedPage(one, withScript(one.html)));
  const isAwaited = place.signals.next('awaits');
  await place.goto(url);
  const isLeft = leaving(place, one);
  await untilReady(place.page, one.steps);
  const called = callTool(place.page, one);
  const leaves = called.catch((error: unknown) => {
    if (/context was destroyed|Target (?:page|closed)|navigation/i.test(String(error))) return null; // the page unloaded
    throw error;
  });
  if (one.awaitsUser) {
    await isAwaited;
    await pressSubmit(place.page);
  }
  const ended = leaves.then((errors) => (errors === null && sends('live', one) ? endless : ending(errors)));
  const first: Ending = await Promise.race([request.then((sent) => ({ request: sent })), ended]);
  await isLeft;
  return first.errors ? first : { ...first, controls: await place.controls };
}

const endless = new Promise<never>(() => undefined);

const ending = (errors: readonly CaseError[] | null): Ending => ({ request: null, ...(errors && { errors }) });

const gatewayFetch = createNodeFetch({ allowPrivateAddresses: true });

/** The gateway calls the tool of the manifest that is compiled from the page, with a cookie jar of its own. */
export async function submitByGateway(site: CaseSite, one: RunCase): Promise<Ending> {
  const { url, request } = site.serve(servedPage(one, one.html));
  const { tools } = compileHtml(one.html, { path: 'page' });
  const tool = tools.find(({ name }) => name === one.tool);
  if (!tool) return { request: null, errors: [{ parameter: '', code: 'tool-missing' }] };
  const options = { pageUrl: url, input: one.input, profile: 'precise', fetch: gatewayFetch } as const;
  try {
    await submitForm({
      tool: JSON.parse(JSON.stringify(tool)) as GatewayTool,
      allowPrivateAddresses: true,
      limits,
      ...options,
    });
    return { request: await request };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { request: null, errors: errorsOf(error) };
  }
}

const limits = { milliseconds: 600_000 };

function errorsOf({ code, parameters }: GatewayError): readonly CaseError[] {
  if (parameters.length === 0) return [{ parameter: '', code }];
  return parameters.map((each) => ({ parameter: each.parameter, code: each.code }));
}
