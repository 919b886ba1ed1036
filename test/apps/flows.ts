import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { engines, wantedEngines } from '../../tools/browsers.mjs';
import { skipWithout } from '../../tools/programs.mjs';
import { compileManifest, startGateway, type Gateway, type Interface, type Session } from './gateway.js';
import { callLive, openBrowser, type LiveBrowser, type LiveEngine, type LiveTab } from './live.js';
import { textOf, type Told } from './told.js';
import { Visitor } from './visitor.js';

/** A way from an agent to an application: a browser, or an interface of the gateway. */
export type Path = LiveEngine | Interface;

const livePaths: readonly LiveEngine[] = ['chromium', 'webmcp', 'firefox'];
const gatewayPaths: readonly Interface[] = ['webtools', 'mcp-http', 'mcp-stdio'];
export const allPaths: readonly Path[] = [...livePaths, ...gatewayPaths];
export const isLive = (path: Path): path is LiveEngine => livePaths.some((each) => each === path);

/** The default paths of a flow. */
const usualPaths: readonly Path[] = ['chromium', 'webtools'];

/** A running application, as its tests see it. */
export interface Application {
  readonly name: string;
  /** The URL of its root. */
  readonly site: string;
  /** Signs a visitor in over HTTP, as a person. */
  signIn(visitor: Visitor, account: string): Promise<void>;
  /** Signs a session of the gateway in, by the application's own login tool. */
  signInSession(session: Session, account: string): Promise<void>;
  /** The pages of the manifest, each with the account that reads it. */
  readonly pages: readonly { readonly path: string; readonly as?: string }[];
  /** The operator's configuration of the gateway. */
  readonly config?: object;
  /** Further flags of the gateway. */
  readonly flags?: readonly string[];
}

export interface Flow {
  /** A sentence: what the agent does and what happens. */
  readonly name: string;
  readonly paths?: readonly Path[];
  /** The account that is signed in. */
  readonly as?: string | ((path: Path) => string);
  /** The page with the tool, with its query. The gateway knows its page from the manifest. */
  readonly page: string | ((path: Path) => string);
  /** The tool. The gateway numbers the tools of a name, or adds their page. */
  readonly tool: string | ((path: Path) => string);
  /** The input. Flows save different values for each path. */
  readonly input: (path: Path) => object;
  /** Something that happens between opening the page and the call. */
  readonly meanwhile?: (context: FlowContext) => Promise<void>;
  /** A selector of elements that the page removes after its tools were listed. */
  readonly removes?: string;
  /** Checks the saved data, or the result that the agent receives. */
  readonly check: (told: Told, context: CheckContext) => void | Promise<void>;
}

export interface FlowContext {
  readonly path: Path;
  readonly visitor: Visitor;
  /** The page of a live path. */
  readonly tab?: LiveTab;
  /** The session of the gateway. */
  readonly session?: Session;
}

interface CheckContext extends FlowContext {
  /** Adds the data that the application has stored to the report. */
  readonly reportStored: (stored: unknown) => void;
}

/** Expects that the call succeeds, and that a value was saved. */
export const saves =
  (read: (path: Path) => unknown, expected: (path: Path) => unknown): Flow['check'] =>
  async (told, { path, reportStored }) => {
    const stored = await read(path);
    reportStored(stored);
    assert.deepEqual(stored, expected(path), textOf(told));
    assert.equal(told.error, undefined, textOf(told));
  };

/** Expects that the agent reads each text, as a person does on the page. */
export const reads =
  (...texts: readonly RegExp[]): Flow['check'] =>
  (told) => {
    for (const text of texts) assert.ok(text.test(textOf(told)), `${String(text)} is missing in ${textOf(told)}`);
  };

/** Expects that a message belongs to a parameter. Over MCP, results are JSON in a text as well. */
export const namesParameter = (name: string): Flow['check'] =>
  reads(new RegExp(`"parameter": "${name}"|\\\\"parameter\\\\": ?\\\\"${name}\\\\"`));

/** Expects that the call failed, and that the agent reads each text. */
export const fails =
  (...texts: readonly RegExp[]): Flow['check'] =>
  async (told, context) => {
    assert.notEqual(told.error, undefined, textOf(told));
    await reads(...texts)(told, context);
  };

/** Expects that the response of the gateway has an error with a text. On a live path, the text can be anywhere. */
export const reportsError =
  (text: RegExp): Flow['check'] =>
  (told, { path }) => {
    const { errors = [] } = (told.value ?? {}) as { readonly errors?: readonly { readonly message: string }[] };
    const found = isLive(path) ? text.test(textOf(told)) : errors.some(({ message }) => text.test(message));
    assert.ok(found, `${String(text)} is missing in ${textOf(told)}`);
  };

/** Expects that nothing was saved. */
export const savesNothing =
  (read: (path: Path) => Promise<readonly unknown[]>): Flow['check'] =>
  async (told, { path, reportStored }) => {
    const stored = await read(path);
    reportStored(stored);
    assert.deepEqual(stored, [], textOf(told));
  };

/** Combines checks. */
export const both =
  (...checks: readonly Flow['check'][]): Flow['check'] =>
  async (told, context) => {
    for (const check of checks) await check(told, context);
  };

async function visitorOf(application: Application, account: string | undefined): Promise<Visitor> {
  const visitor = new Visitor(application.site);
  if (account !== undefined) await application.signIn(visitor, account);
  return visitor;
}

/**
 * Checks a flow, and appends a line of JSON to the file APPS_REPORT: the result that the agent receives, and the data that the
 * application has stored. `tools/told-and-stored.mjs` prints it. The tables of docs/reference/agents-errors.md are from it.
 */
async function check({ name: application }: Application, flow: Flow, told: Told, context: FlowContext): Promise<void> {
  const file = process.env.APPS_REPORT;
  let stored: unknown;
  try {
    await flow.check(told, { ...context, reportStored: (value) => (stored = value) });
  } finally {
    const line = { application, flow: flow.name, path: context.path, told, stored };
    if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

async function runLive(application: Application, flow: Flow, path: LiveEngine, browser: LiveBrowser): Promise<void> {
  const { site } = application;
  const visitor = await visitorOf(application, by(flow.as, path));
  const tab = await browser.open(site, visitor.cookies);
  try {
    await tab.goto(new URL(by(flow.page, path), site).href);
    const context = { path, visitor, tab };
    await flow.meanwhile?.(context);
    const told = await callLive(tab, by(flow.tool, path), flow.input(path), flow);
    await check(application, flow, told, context);
  } finally {
    await tab.close();
  }
}

async function runSession(application: Application, flow: Flow, path: Interface, gateway: Gateway): Promise<void> {
  const session = await gateway.open(path);
  try {
    const account = by(flow.as, path);
    if (account !== undefined) await application.signInSession(session, account);
    const context = { path, visitor: new Visitor(application.site), session };
    await flow.meanwhile?.(context);
    const told = await session.call(by(flow.tool, path), flow.input(path));
    await check(application, flow, told, context);
  } finally {
    await session.close();
  }
}

/** Reads the pages of the application and serves their manifest. */
export async function openGateway(application: Application): Promise<Gateway> {
  const { name, site, config, flags, pages } = application;
  const visitors = new Map<string | undefined, Visitor>();
  const sources = [];
  for (const { path, as } of pages) {
    const visitor = visitors.get(as) ?? (await visitorOf(application, as));
    visitors.set(as, visitor);
    sources.push({ path, html: await visitor.read(path) });
  }
  const manifest = await compileManifest(name.toLowerCase(), sources);
  return startGateway({ manifest, site, ...(config && { config }), ...(flags && { flags }) });
}

function addTests(flows: readonly Flow[], path: Path, run: (flow: Flow) => Promise<void>): void {
  for (const flow of flows) it(flow.name, () => run(flow));
}

function by<Value>(value: Value | ((path: Path) => Value), path: Path): Value {
  return value instanceof Function ? value(path) : value;
}

/** Whether a flow runs on a path. Firefox also runs the flows of Chromium if ENGINES excludes Chromium. */
function takes({ paths = usualPaths }: Flow, path: Path): boolean {
  const standsIn = path === 'firefox' && !wantedEngines().includes('chromium');
  return paths.includes(path) || (standsIn && paths.includes('chromium'));
}

/** Runs the flows in the browsers. */
function describeLive(application: Application, flows: readonly Flow[], path: LiveEngine): void {
  const { label, program } = engines[path];
  describe(`${application.name} in ${label}`, { skip: skipWithout(program) }, () => {
    let browser: LiveBrowser;
    beforeAll(async () => {
      browser = await openBrowser(path);
    });
    afterAll(() => browser.close());
    addTests(flows, path, (flow) => runLive(application, flow, path, browser));
  });
}

/** Runs the flows through a gateway. */
function describeGateway(
  { application, gateway }: { application: Application; gateway: Gateway },
  flows: readonly Flow[],
): void {
  describe(`${application.name} through the gateway`, () => {
    for (const path of gatewayPaths) {
      const mine = flows.filter((flow) => takes(flow, path));
      if (mine.length === 0) continue;
      describe(path, () => {
        addTests(mine, path, (flow) => runSession(application, flow, path, gateway));
      });
    }
  });
}

/**
 * Starts the gateway of an application, and returns a function that adds the tests of its flows. The visitors of the gateway
 * log in first: some applications lose a session if the same user logs in twice at the same time. The tests of a file are
 * added together, because processes end when all tests that were added have run.
 */
export async function prepareFlows(application: Application, flows: readonly Flow[]): Promise<() => void> {
  const wanted = wantedEngines();
  const gateway = await openGateway(application);
  return () => {
    for (const path of livePaths) {
      const mine = flows.filter((flow) => takes(flow, path));
      if (mine.length > 0 && wanted.includes(path)) describeLive(application, mine, path);
    }
    describeGateway({ application, gateway }, flows);
  };
}

/** Adds the tests of an application's flows, by path. */
export async function runFlows(application: Application, flows: readonly Flow[]): Promise<void> {
  const addAll = await prepareFlows(application, flows);
  addAll();
}
