import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { markMain } from './main-landmark.js';
import { prepareMarkdown } from './markdown-plugins.js';
import { siteVite, withoutPlaygroundPreloads } from './playground/vite.js';
import { paintEarly } from './paint-early.js';

type Items = DefaultTheme.SidebarItem[];

const servedFolders = ['docs', 'src', 'elements', 'node_modules', '.cache/vitepress'];

/** Restricts the files that the development server serves. VitePress allows the whole checkout, with the demo's database. */
const servedFiles = {
  name: 'served-files',
  configResolved({ server }: { readonly server: { readonly fs: { allow: string[] } } }) {
    server.fs.allow = servedFolders.map((folder) => fileURLToPath(new URL(`../../${folder}`, import.meta.url)));
  },
};

const guide: Items = [
  { text: 'From a form to a tool', link: '/guide/' },
  { text: 'A static site', link: '/guide/static-site' },
  { text: 'A site built with Vite', link: '/guide/vite' },
  { text: 'A server-rendered application', link: '/guide/server-rendered' },
  { text: 'An application that you cannot edit', link: '/guide/fixed-applications' },
  { text: 'Components', link: '/guide/components' },
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
];

const pages: Items = [
  { text: 'Attributes', link: '/reference/attributes' },
  { text: 'Profiles', link: '/reference/profiles' },
  { text: 'Scripts', link: '/reference/scripts' },
  { text: 'Forms in a live page', link: '/reference/live-forms' },
  { text: 'Events', link: '/reference/events' },
  { text: 'Elements', link: '/reference/elements' },
  { text: 'The API of the elements', link: '/reference/elements-api' },
  { text: 'The polyfill', link: '/reference/polyfill' },
];

const rules: Items = readdirSync(new URL('../rules', import.meta.url))
  .filter((file) => file !== 'index.md')
  .sort()
  .map((file) => file.replace(/\.md$/, ''))
  .map((rule) => ({ text: rule, link: `/rules/${rule}` }));

const sites: Items = [
  { text: 'Command line', link: '/reference/cli' },
  { text: 'Suggested annotations', link: '/reference/annotate' },
  { text: 'GitHub Action', link: '/reference/github-action' },
  { text: 'Types, diff and drift', link: '/reference/drift' },
  { text: 'Served sites', link: '/reference/served-sites' },
  { text: 'Large sites', link: '/reference/scale' },
  { text: 'Manifests', link: '/reference/manifest' },
  { text: 'Vite', link: '/reference/vite' },
  { text: 'Lint rules', link: '/rules/', collapsed: true, items: rules },
  { text: 'Errors', link: '/reference/errors' },
  { text: 'Limits of size and time', link: '/reference/limits' },
];

const agents: Items = [
  { text: 'Agents and their clients', link: '/reference/agents' },
  { text: 'The gateway', link: '/reference/gateway' },
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

const sidebar: DefaultTheme.SidebarMulti = {
  '/guide/': [{ text: 'Guide', items: guide }],
  '/recipes/': [{ text: 'Recipes', items: recipes }],
  '/reference/': reference,
  '/rules/': reference,
  '/api/': reference,
  '/concepts/': [{ text: 'Concepts', items: concepts }],
  '/measurements': [{ text: 'Concepts', items: concepts }],
  '/project/': [{ text: 'Project', items: project }],
};

/** Pages that explain come before pages that list. The function is in the pages as its text. */
const boostDocument = (id: string): number =>
  ({ guide: 3, concepts: 1.5, recipes: 1.5, rules: 0.5, api: 0.3, project: 0.3 } as Record<string, number>)[
    id.split('/')[2] ?? ''
  ] ?? 1;

const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: { miniSearch: { searchOptions: { boostDocument } } },
};

/** The theme would load its icons from another site. */
const githubIcon =
  '<svg viewBox="0 0 16 16"><path d="M8 0a8 8 0 0 0-2.53 15.59c.4.07.55-.17.55-.38v-1.33c-2.23.48-2.7-1.08-2.7-1.08-.36-.92-.89-1.17-.89-1.17-.73-.5.05-.49.05-.49.81.06 1.23.83 1.23.83.72 1.23 1.88.87 2.34.67.07-.52.28-.88.51-1.08-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82a7.6 7.6 0 0 1 4 0c1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48v2.19c0 .21.15.46.55.38A8 8 0 0 0 8 0z" /></svg>';

export default defineConfig({
  lang: 'en',
  title: 'webmcp-forms',
  description: 'Turns the HTML forms of a site into WebMCP tools: in every browser, in a manifest, and over HTTP.',
  base: '/docs/',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/icon.svg' }]],
  outDir: '../docs-dist',
  cacheDir: '../.cache/vitepress',
  cleanUrls: false,
  rewrites: { 'generated/:page*': ':page*' },
  markdown: {
    config: prepareMarkdown,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  transformHtml: (html) => paintEarly(markMain(withoutPlaygroundPreloads(html))),
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('webmcp-') } } },
  vite: { ...siteVite, plugins: [...siteVite.plugins, servedFiles] } as object, // VitePress has an older Vite, whose types differ
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Guide', link: '/guide/', activeMatch: '/guide/' },
      { text: 'Playground', link: '/playground' },
      { text: 'Demo', link: '/../restaurant.html', target: '_self' }, // outside of the documentation
      { text: 'Recipes', link: '/recipes/', activeMatch: '/recipes/' },
      { text: 'Reference', link: '/reference/attributes', activeMatch: '/(reference|rules|api)/' },
      { text: 'Concepts', link: '/concepts/', activeMatch: '/(concepts/|measurements)' },
      { text: 'Project', link: '/project/readme', activeMatch: '/project/' },
    ],
    socialLinks: [
      { icon: { svg: githubIcon }, link: 'https://github.com/webmcp-forms/webmcp-forms', ariaLabel: 'GitHub' },
    ],
    sidebar,
    search,
    outline: { level: [2, 3] },
    footer: { message: 'webmcp-forms has the MIT license.' },
    notFound: {
      title: 'Page not found',
      quote: 'This page does not exist. Search for it, or begin at the first page.',
      linkText: 'First page',
      linkLabel: 'First page',
    },
  },
});
