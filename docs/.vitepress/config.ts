import { fileURLToPath } from 'node:url';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { markMain } from './main-landmark.js';
import { prepareMarkdown } from './markdown-plugins.js';
import { siteVite, withoutPlaygroundPreloads } from './playground/vite.js';
import { writeLlmsFiles } from './llms.js';
import { paintEarly } from './paint-early.js';
import { packageVersion, repository, sourceOf } from './repository.js';
import { sidebar } from './sidebar.js';

const servedFolders = ['docs', 'src', 'elements', 'node_modules', '.cache/vitepress'];

/** Restricts the files that the development server serves. VitePress allows the whole checkout, with the demo's database. */
const servedFiles = {
  name: 'served-files',
  configResolved({ server }: { readonly server: { readonly fs: { allow: string[] } } }) {
    server.fs.allow = servedFolders.map((folder) => fileURLToPath(new URL(`../../${folder}`, import.meta.url)));
  },
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
  transformPageData: (page) => {
    page.filePath = sourceOf(page.relativePath); // the link to edit the page
    if (page.relativePath.startsWith('api/')) page.frontmatter['editLink'] = false; // generated from docstrings
  },
  buildEnd: ({ outDir, site }) => writeLlmsFiles(outDir, site),
  transformHtml: (html) => paintEarly(markMain(withoutPlaygroundPreloads(html))),
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('webmcp-') } } },
  vite: { ...siteVite, plugins: [...siteVite.plugins, servedFiles] } as object, // VitePress has an older Vite, whose types differ
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Guide', link: '/guide/', activeMatch: '/guide/' },
      { text: 'Playground', link: '/playground' },
      { text: 'Recipes', link: '/recipes/', activeMatch: '/recipes/' },
      { text: 'Reference', link: '/reference/attributes', activeMatch: '/(reference|rules|api)/' },
      { text: 'Concepts', link: '/concepts/', activeMatch: '/(concepts/|measurements)' },
      { text: 'Project', link: '/project/readme', activeMatch: '/project/(?!changelog)' },
      {
        text: `v${packageVersion}`,
        activeMatch: '/project/changelog',
        items: [
          { text: 'Changelog', link: '/project/changelog' },
          { text: 'All versions', link: `${repository}/releases` },
        ],
      },
    ],
    editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' },
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
