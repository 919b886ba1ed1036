import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { detectSite, type DetectedSite } from '../../src/init/detect-site.js';
import { makeFolder } from '../support/cli/running.js';

type Files = Readonly<Record<string, string>>;

const packages = (dependencies: Readonly<Record<string, string>>): string => JSON.stringify({ dependencies });

async function detect(files: Files, name = '.'): Promise<DetectedSite> {
  return await detectSite(name, await makeFolder(files));
}

describe('detectSite', () => {
  const sites: Readonly<
    Record<string, readonly [files: Files, kind: string, name: string, assets: string, url: string]>
  > = {
    'static pages': [{ 'index.html': '' }, 'static', 'Static pages', 'assets', '/assets/'],
    'static pages with a folder for scripts': [
      { 'index.html': '', 'js/a.js': '' },
      'static',
      'Static pages',
      'js',
      '/js/',
    ],
    Vite: [{ 'vite.config.ts': '', 'index.html': '' }, 'vite', 'Vite', 'assets', '/assets/'],
    Django: [{ 'manage.py': '', 'static/a.css': '' }, 'templates', 'Django', 'static', '/static/'],
    'Django with templates in an application': [
      { 'manage.py': '', 'shop/apps.py': '', 'shop/templates/a.html': '' },
      ...(['templates', 'Django', 'shop/static', '/static/'] as const),
    ],
    Rails: [{ 'config/routes.rb': '', 'vite.config.ts': '' }, 'templates', 'Rails', 'public', '/'],
    Laravel: [{ artisan: '', 'vite.config.js': '' }, 'templates', 'Laravel', 'public', '/'],
    Flask: [{ 'app.py': '', 'templates/a.html': '' }, 'templates', 'Flask', 'static', '/static/'],
    PHP: [{ 'index.php': '' }, 'templates', 'PHP', 'assets', '/assets/'],
    'PHP with a public folder': [{ 'public/index.php': '' }, 'templates', 'PHP', 'public', '/'],
    Express: [{ 'package.json': packages({ express: '5' }) }, 'templates', 'Express', 'public', '/'],
    'Express with a mounted folder': [
      {
        'package.json': packages({ express: '5' }),
        'src/server.ts': "app.use('/files', express.static(path.join(__dirname, '..', 'web')) as Handler);",
      },
      ...(['templates', 'Express', 'web', '/files/'] as const),
    ],
    'Express with the URL of a folder': [
      {
        'package.json': packages({ express: '5' }),
        'app.mjs': "app.use(compression(), express.static(fileURLToPath(new URL('./www', import.meta.url))));",
        'www/a.css': '',
      },
      ...(['templates', 'Express', 'www', '/'] as const),
    ],
    'Express with a folder of the working directory': [
      {
        'package.json': packages({ express: '5' }),
        'index.js': "const a = require('a');\napp.use(express.static('files'));",
      },
      ...(['templates', 'Express', 'files', '/'] as const),
    ],
  };
  for (const [title, [files, kind, name, assets, url]] of Object.entries(sites))
    it(`detects ${title}`, async () => {
      const site = await detect(files);
      assert.deepEqual([site.kind, site.name, site.assets], [kind, name, { folder: assets, url }]);
    });

  it('ignores folders outside of the project in the code of a server', async () => {
    const code = "app.use(express.static('/etc'));\napp.use(express.static('../x'));";
    const site = await detect({ 'package.json': packages({ express: '5' }), 'index.js': code });
    assert.ok(['etc', 'public'].includes(site.assets.folder), site.assets.folder);
  });

  it('reads server code that cannot be parsed as code without folders', async () => {
    const site = await detect({ 'package.json': packages({ express: '5' }), 'index.js': 'express.static(' });
    assert.deepEqual([site.assets.folder, site.isServed], ['public', false]);
  });

  it('finds the project of a folder of pages, at most the working directory', async () => {
    const cwd = await makeFolder({ 'package.json': '{}', 'site/index.html': '', 'site/a/b.html': '' });
    const site = await detectSite('site', cwd);
    assert.deepEqual([site.root, site.folder, site.assets.folder], [cwd, join(cwd, 'site'), 'site/assets']);
    assert.equal((await detectSite('.', join(cwd, 'site'))).root, join(cwd, 'site'));
  });

  it('rejects frameworks that it does not support, with advice', async () => {
    for (const [name, title] of [
      ['next', 'Next.js'],
      ['@sveltejs/kit', 'SvelteKit'],
      ['@angular/core', 'Angular'],
      ['react-scripts', 'Create React App'],
    ] as const)
      await assert.rejects(
        detect({ 'package.json': packages({ [name]: '1' }), 'vite.config.js': '' }),
        new RegExp(`^UsageError: init does not know sites of ${title}, .*'webmcp-forms/auto'`),
      );
    await assert.rejects(detect({ 'wp-config.php': '', 'index.php': '' }), /sites of WordPress/);
  });

  it('rejects a folder that does not exist, and a file', async () => {
    await assert.rejects(
      detect({}, 'nowhere'),
      /Cannot read nowhere: it does not exist\. Name the folder of the site\./,
    );
    await assert.rejects(detect({ 'a.html': '' }, 'a.html'), /a\.html is not a folder/);
  });
});
