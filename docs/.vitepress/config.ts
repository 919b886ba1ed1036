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
      { text: 'Demo', link: '/../restaurant.html', target: '_self' }, // outside of the documentation
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
    socialLinks: [{ icon: { svg: githubIcon }, link: repository, ariaLabel: 'GitHub' }],
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
