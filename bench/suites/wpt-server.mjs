import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { answerScript } from '../contestants.mjs';

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.idl': 'text/plain' };

/**
 * The origins of the tests. The suite's own server has TLS and host names. Pages of localhost are trustworthy without
 * TLS.
 */
const hostInfo = (origins) => {
  const [own, remote, other] = origins.map((origin) => JSON.stringify(origin));
  const prefixes = ['HTTP', 'HTTPS'].map(
    (name) =>
      `${name}_ORIGIN: ${own}, ${name}_REMOTE_ORIGIN: ${remote}, ${name}_NOTSAMESITE_ORIGIN: ${other}, ${name}_OTHER_NOTSAMESITE_ORIGIN: ${other}`,
  );
  return `function get_host_info() { return { ORIGIN: ${own}, REMOTE_ORIGIN: ${remote}, ${prefixes.join(', ')} }; }`;
};

const report = `add_completion_callback((tests, { status, message }) => {
  const subtests = tests.map(({ name, status, message }) => ({ name, isPassed: status === 0, message }));
  globalThis.finished = { status, message, subtests };
});`;

const scriptsOf = (source) => [...source.matchAll(/^\/\/ META: script=(.*)$/gm)].map(([, path]) => path);

/** The page that a file of the name NAME.window.js stands for. */
const windowPage = (path, source) =>
  ['/resources/testharness.js', '/resources/testharnessreport.js', ...scriptsOf(source), path]
    .map((each) => `<script src="${each}"></script>`)
    .join('\n');

/** A page that uses the classes which stand in for the pseudo-classes, in selectors of scripts and in style sheets. */
const withClasses = (html) =>
  html
    .replace(/(['"`]):(tool-(?:form|submit)-active)/g, '$1.\\\\:$2')
    .replace(/([a-z]):(tool-(?:form|submit)-active) {/g, '$1.\\:$2 {');

const withTag = (html, tag) => html.replace(/^\s*(?:<!doctype[^>]*>)?/i, (start) => start + tag);

const headersOf = (file) =>
  existsSync(`${file}.headers`)
    ? readFileSync(`${file}.headers`, 'utf8')
        .split('\n')
        .map((line) => /^([\w-]+):\s*(.*)$/.exec(line))
        .filter(Boolean)
    : [];

/** An address of this machine that other machines can reach, because pages at loopback addresses are trustworthy. */
const publicAddress = Object.values(networkInterfaces())
  .flat()
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/**
 * Serves a folder of WPT from three origins, and from one that is not trustworthy if this machine has such an address, with
 * a tag at the start of each page.
 *
 * @returns the origins, and the steps that stop the servers
 */
export async function serveWpt(folder, { tag }) {
  const origins = [];
  const answers = {
    '/common/get-host-info.sub.js': () => hostInfo(origins),
    '/resources/testharnessreport.js': () => report,
    '/resources/WebIDLParser.js': () => readFileSync(join(folder, 'resources/webidl2/lib/webidl2.js'), 'utf8'),
  };
  const answer = (request, response) => {
    if (answerScript(request, response)) return;
    const { pathname, search } = new URL(request.url, 'http://localhost');
    const path = normalize(decodeURIComponent(pathname));
    const source = /\.window\.html$/.test(path) ? path.replace(/html$/, 'js') : path;
    const file = join(folder, source);
    if (!answers[path] && !(existsSync(file) && statSync(file).isFile())) return response.writeHead(404).end();
    response.setHeader('content-type', types[extname(path)] ?? 'text/plain');
    for (const [, name, value] of headersOf(file)) response.setHeader(name, value);
    const stored = answers[path]?.() ?? readFileSync(file, 'utf8');
    const text = search === '?classes' ? withClasses(stored) : stored;
    const page = source === path ? text : windowPage(source, text);
    response.end(extname(path) === '.html' ? withTag(page, tag) : page);
  };
  const hosts = ['localhost', 'localhost', '127.0.0.1', publicAddress].filter(Boolean);
  const servers = hosts.map((host) => ({ host, server: createServer(answer) }));
  for (const { host, server } of servers) {
    await new Promise((resolve) => server.listen(0, host === publicAddress ? host : '127.0.0.1', resolve));
    origins.push(`http://${host}:${server.address().port}`);
  }
  const close = () =>
    servers.forEach(({ server }) => {
      server.closeAllConnections();
      server.close();
    });
  return { origins, close };
}
