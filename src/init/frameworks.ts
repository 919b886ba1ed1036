/** A framework that serves the files of a folder, and whose templates this package annotates. */
export interface Framework {
  readonly name: string;
  /** Files, each of which identifies the framework. */
  readonly files?: readonly string[];
  /** Packages in package.json, each of which identifies the framework. */
  readonly packages?: readonly string[];
  /** The folders whose files the framework serves, with their URLs. If none exists, the first folder is created. */
  readonly publicFolders: readonly [PublicFolder, ...PublicFolder[]];
  /** The URL of the development server. */
  readonly url: string;
}

export interface PublicFolder {
  /** The path relative to the folder of the project, with slashes as separators and none at the end. */
  readonly folder: string;
  /** Ends with a slash. */
  readonly url: string;
}

const atRoot = { folder: 'public', url: '/' };
const local = (port: number): string => `http://localhost:${port}/`;

/** The frameworks in the order of detection. A project can also contain files of frameworks that are later in the list. */
export const frameworks: readonly Framework[] = [
  {
    name: 'Django',
    files: ['manage.py'],
    publicFolders: [{ folder: 'static', url: '/static/' }],
    url: local(8000),
  },
  { name: 'Rails', files: ['bin/rails', 'config/routes.rb'], publicFolders: [atRoot], url: local(3000) },
  { name: 'Laravel', files: ['artisan'], publicFolders: [atRoot], url: local(8000) },
  { name: 'Symfony', files: ['symfony.lock', 'bin/console'], publicFolders: [atRoot], url: local(8000) },
  {
    name: 'Express',
    packages: ['express'],
    publicFolders: [atRoot, { folder: 'static', url: '/static/' }],
    url: local(3000),
  },
  {
    name: 'Node.js',
    packages: ['fastify', 'koa', '@hapi/hapi', 'hono', '@nestjs/core'],
    publicFolders: [atRoot, { folder: 'static', url: '/static/' }],
    url: local(3000),
  },
  {
    name: 'Flask',
    files: ['app.py', 'wsgi.py', 'main.py', 'app/__init__.py'],
    publicFolders: [
      { folder: 'static', url: '/static/' },
      { folder: 'app/static', url: '/static/' },
    ],
    url: local(5000),
  },
  {
    name: 'Go',
    files: ['go.mod'],
    publicFolders: [
      { folder: 'static', url: '/static/' },
      { folder: 'public', url: '/' },
    ],
    url: local(8080),
  },
  { name: 'PHP', files: ['public/index.php'], publicFolders: [atRoot], url: local(8000) },
  {
    name: 'PHP',
    files: ['index.php', 'composer.json'],
    publicFolders: [{ folder: 'assets', url: '/assets/' }],
    url: local(8000),
  },
];

/** A framework that renders its own pages or bundles its scripts, so that init cannot add the script. */
interface UnknownFramework {
  readonly name: string;
  /** Packages in package.json, each of which identifies the framework. */
  readonly packages?: readonly string[];
  /** Files, each of which identifies the framework. */
  readonly files?: readonly string[];
}

export const unknownFrameworks: readonly UnknownFramework[] = [
  { name: 'Next.js', packages: ['next'] },
  { name: 'Nuxt', packages: ['nuxt'] },
  { name: 'Astro', packages: ['astro'] },
  { name: 'SvelteKit', packages: ['@sveltejs/kit'] },
  { name: 'Remix', packages: ['@remix-run/dev', '@react-router/dev'] },
  { name: 'Gatsby', packages: ['gatsby'] },
  { name: 'Angular', packages: ['@angular/core'] },
  { name: 'Create React App', packages: ['react-scripts'] },
  { name: 'Vue CLI', packages: ['@vue/cli-service'] },
  { name: 'WordPress', files: ['wp-config.php', 'wp-config-sample.php', 'theme.json'] },
];
