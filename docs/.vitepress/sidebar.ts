import { readdirSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';

type Items = DefaultTheme.SidebarItem[];

const guide: Items = [
  { text: 'From a form to a tool', link: '/guide/' },
  { text: 'A static site', link: '/guide/static-site' },
  { text: 'A site built with Vite', link: '/guide/vite' },
  { text: 'A server-rendered application', link: '/guide/server-rendered' },
  { text: 'An application that you cannot edit', link: '/guide/fixed-applications' },
  { text: 'Components', link: '/guide/components' },
  { text: 'A manifest in the build', link: '/guide/builds' },
  { text: 'Agents', link: '/guide/agents' },
  { text: 'Hosts of MCP servers', link: '/guide/hosts' },
  { text: 'Questions and answers', link: '/guide/questions' },
];

const recipes: Items = [
  { text: 'Overview', link: '/recipes/' },
  { text: 'React', link: '/recipes/react' },
  { text: 'Vue', link: '/recipes/vue' },
  { text: 'Svelte', link: '/recipes/svelte' },
  { text: 'Angular', link: '/recipes/angular' },
  { text: 'Lit', link: '/recipes/lit' },
  { text: 'WordPress', link: '/recipes/wordpress' },
  { text: 'Django', link: '/recipes/django' },
  { text: 'DokuWiki', link: '/recipes/dokuwiki' },
  { text: 'MediaWiki', link: '/recipes/mediawiki' },
  { text: 'Redmine', link: '/recipes/redmine' },
  { text: 'Express', link: '/recipes/express' },
];

const concepts: Items = [
  { text: 'How a form becomes a tool', link: '/concepts/' },
  { text: 'Security', link: '/concepts/security' },
  { text: 'Content of visitors', link: '/concepts/visitors' },
  { text: 'Limitations', link: '/concepts/limitations' },
  { text: 'Comparison', link: '/concepts/comparison' },
  { text: 'The gateway and OWASP ASVS', link: '/concepts/asvs' },
  { text: 'Measurements', link: '/measurements' },
  { text: 'Public test suites', link: '/concepts/conformance' },
];

const pages: Items = [
  { text: 'Attributes', link: '/reference/attributes' },
  { text: 'Profiles', link: '/reference/profiles' },
  { text: 'Scripts', link: '/reference/scripts' },
  { text: 'Content Security Policy', link: '/reference/content-security-policy' },
  {
    text: 'Forms in a live page',
    link: '/reference/live-forms/',
    collapsed: true,
    items: [
      { text: 'Responses', link: '/reference/live-forms/responses' },
      { text: 'Filling', link: '/reference/live-forms/filling' },
      { text: 'Editors', link: '/reference/live-forms/editors' },
      { text: 'Browsers with WebMCP', link: '/reference/live-forms/browsers' },
    ],
  },
  { text: 'Events', link: '/reference/events' },
  {
    text: 'Elements',
    link: '/reference/elements/',
    collapsed: true,
    items: [
      { text: '&lt;webmcp-tool&gt;', link: '/reference/elements/tool' },
      { text: '&lt;webmcp-review&gt;', link: '/reference/elements/review' },
      { text: '&lt;webmcp-inspector&gt;', link: '/reference/elements/inspector' },
      { text: 'API of the elements', link: '/reference/elements-api' },
    ],
  },
  { text: 'The polyfill', link: '/reference/polyfill' },
];

/** The pages of a folder, except its overview, with their file names as text. */
const pagesIn = (folder: string): Items =>
  readdirSync(new URL(`../${folder}`, import.meta.url))
    .filter((file) => file !== 'index.md')
    .sort()
    .map((file) => file.replace(/\.md$/, ''))
    .map((name) => ({ text: name, link: `/${folder}/${name}` }));

const sites: Items = [
  { text: 'Command line', link: '/reference/cli/', collapsed: true, items: pagesIn('reference/cli') },
  { text: 'Suggested annotations', link: '/reference/annotate' },
  { text: 'GitHub Action', link: '/reference/github-action' },
  { text: 'Types, diff and drift', link: '/reference/drift' },
  { text: 'Served sites', link: '/reference/served-sites' },
  { text: 'Large sites', link: '/reference/scale' },
  { text: 'Manifests', link: '/reference/manifest' },
  { text: 'Vite', link: '/reference/vite' },
  { text: 'Lint rules', link: '/rules/', collapsed: true, items: pagesIn('rules') },
  { text: 'Errors', link: '/reference/errors' },
  { text: 'Limits of size and time', link: '/reference/limits' },
];

const agents: Items = [
  { text: 'Agents and their clients', link: '/reference/agents' },
  {
    text: 'The gateway',
    link: '/reference/gateway/',
    items: [
      { text: 'Calls', link: '/reference/gateway/calls' },
      { text: 'Answers', link: '/reference/gateway/answers' },
      { text: 'The form of the manifest', link: '/reference/gateway/forms' },
      { text: 'Server-rendered applications', link: '/reference/gateway/applications' },
      { text: 'MCP', link: '/reference/gateway/mcp' },
      { text: 'Questions to the user', link: '/reference/gateway/questions' },
      { text: 'Webtools', link: '/reference/gateway/webtools' },
      { text: 'The client', link: '/reference/gateway/client' },
      { text: 'Configuration', link: '/reference/gateway/configuration' },
      { text: 'Access', link: '/reference/gateway/access' },
      { text: 'Sessions', link: '/reference/gateway/sessions' },
      { text: 'Releases', link: '/reference/gateway/releases' },
      { text: 'Several processes', link: '/reference/gateway/deployment' },
      { text: 'In code', link: '/reference/gateway/code' },
    ],
  },
  { text: 'Answers of applications', link: '/reference/agents-errors' },
];

const api: Items = [
  { text: 'Entries', link: '/api/' },
  { text: 'webmcp-forms', link: '/api/webmcp-forms' },
  { text: 'webmcp-forms/polyfill', link: '/api/webmcp-forms/polyfill' },
  { text: 'webmcp-forms/compiler', link: '/api/webmcp-forms/compiler' },
  { text: 'webmcp-forms/build', link: '/api/webmcp-forms/build' },
  { text: 'webmcp-forms/vite', link: '/api/webmcp-forms/vite' },
  { text: 'webmcp-forms/client', link: '/api/webmcp-forms/client' },
  { text: 'webmcp-forms/ai-sdk', link: '/api/webmcp-forms/ai-sdk' },
  { text: 'webmcp-forms/langchain', link: '/api/webmcp-forms/langchain' },
  { text: 'webmcp-forms/elements', link: '/api/webmcp-forms/elements' },
  { text: 'webmcp-gateway', link: '/api/webmcp-gateway' },
  { text: 'webmcp-gateway/node', link: '/api/webmcp-gateway/node' },
];

const reference: Items = [
  { text: 'In the page', items: pages },
  { text: 'At build time', items: sites },
  { text: 'Agents and servers', items: agents },
  { text: 'API', items: api },
];

const project: Items = [
  { text: 'Overview', link: '/project/readme' },
  { text: 'Changelog', link: '/project/changelog' },
  { text: 'Architecture', link: '/project/architecture' },
  { text: 'Contributing', link: '/project/contributing' },
  { text: 'Security policy', link: '/project/security' },
];

export const sidebar: DefaultTheme.SidebarMulti = {
  '/guide/': [{ text: 'Guide', items: guide }],
  '/recipes/': [{ text: 'Recipes', items: recipes }],
  '/reference/': reference,
  '/rules/': reference,
  '/api/': reference,
  '/concepts/': [{ text: 'Concepts', items: concepts }],
  '/measurements': [{ text: 'Concepts', items: concepts }],
  '/project/': [{ text: 'Project', items: project }],
};
