// @module-tag built
import assert from 'node:assert/strict';
import { chmod, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { recordFile } from '../../src/init/record.js';
import { answerQuestions, makeFolder, runInProcess, type Outcome } from '../support/cli/running.js';

const search = '<form action="/books"><label>Title <input name="q"></label><button>Search books</button></form>';
const contact =
  '<h2>Contact us</h2><form action="/contact" method="post"><label>Message <textarea name="m"></textarea></label><button>Send message</button></form>';
const login =
  '<form action="/login" method="post"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>Log in</button></form>';
const page = (...forms: readonly string[]): string =>
  `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Books</title>\n</head>\n<body><h1>Books</h1>\n${forms.join('\n')}\n</body></html>\n`;
const tag = (src: string): RegExp =>
  new RegExp(
    `<meta charset="utf-8">\\n<script src="${src}" integrity="sha384-[\\w+/]{64}" data-integrity="sha384-[\\w+/]{64}"></script>\\n<title>`,
  );

const init = (cwd: string, ...argv: readonly string[]): Promise<Outcome> => runInProcess(['init', ...argv], { cwd });
const read = (...path: readonly string[]): Promise<string> => readFile(join(...path), 'utf8');

/** The contents of all files below a folder. */
async function snapshot(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.sort().map(async (file) => [file, await readFile(file, 'base64')] as const)));
}

const site = { 'index.html': page(search), 'a/contact.html': page(contact, login), 'about.html': page('<p>Hi</p>') };

describe('webmcp-forms init', () => {
  it('sets up static pages: annotations, scripts, tags with integrity, and a manifest that is up to date', async () => {
    const cwd = await makeFolder(site);
    const { code, stdout, stderr } = await init(cwd, '--yes');
    assert.equal(code, 0, stderr);
    assert.match(await read(cwd, 'index.html'), tag('assets/webmcp-forms.iife.js'));
    assert.match(await read(cwd, 'index.html'), /<form toolname="search_books" /);
    assert.match(await read(cwd, 'a/contact.html'), tag('../assets/webmcp-forms.iife.js'));
    assert.match(await read(cwd, 'a/contact.html'), /<form action="\/login"/);
    assert.equal(await read(cwd, 'about.html'), site['about.html']);
    const check = await runInProcess(['compile', '--check', '--out', 'webmcp.json', '.'], { cwd });
    assert.equal(check.code, 0, check.stderr);
    assert.match(stdout, /^The first tool is search_books\./m);
    assert.match(stdout, /tools\.find\(\(\{ name \}\) => name === "search_books"\)/);
    assert.match(stdout, /npx webmcp-gateway serve --base-url http:\/\/localhost:8080\/ --allow-private webmcp\.json/);
  });

  it('changes nothing in a second run, and reports it', async () => {
    const cwd = await makeFolder({ ...site, 'package.json': '{\n\t"name": "books"\n}\n' });
    await init(cwd, '--yes', '--github');
    const before = await snapshot(cwd);
    const { code, stdout } = await init(cwd, '--yes', '--github');
    assert.equal(code, 0);
    assert.match(stdout, /^Nothing to change: the site is set up\.$/m);
    assert.deepEqual(await snapshot(cwd), before);
  });

  it('restores every byte with --undo, and refuses to undo after a change', async () => {
    const cwd = await makeFolder({ ...site, 'package.json': '{ "scripts": { "a": "b" } }' });
    const before = await snapshot(cwd);
    assert.equal((await init(cwd, '--yes', '--github')).code, 0);
    const index = await read(cwd, 'index.html');
    await writeFile(join(cwd, 'index.html'), `${index}<!-- edited -->`);
    const refused = await init(cwd, '--undo');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /Nothing was undone, because these files have changed since: index\.html\./);
    await writeFile(join(cwd, 'index.html'), index);
    const dry = await init(cwd, '--undo', '--dry-run');
    assert.match(dry.stdout, /^delete {3}assets\/webmcp-forms\.iife\.js$/m);
    assert.ok((await readdir(cwd)).includes(recordFile));
    assert.equal((await init(cwd, '--undo')).code, 0);
    assert.deepEqual(await snapshot(cwd), before);
    assert.deepEqual((await readdir(cwd)).sort(), ['a', 'about.html', 'index.html', 'package.json']);
  });

  it('prints the changes as a diff with --dry-run, and writes nothing', async () => {
    const cwd = await makeFolder(site);
    const before = await snapshot(cwd);
    const { code, stdout } = await init(cwd, '--dry-run');
    assert.equal(code, 0);
    assert.match(stdout, /^create {2}assets\/webmcp-forms\.agent\.js +script$/m);
    assert.match(stdout, /^--- a\/index\.html\n\+\+\+ b\/index\.html\n@@ -2,8 \+2,9 @@$/m);
    assert.match(stdout, /^\+<script src="assets\/webmcp-forms\.iife\.js"/m);
    assert.deepEqual(await snapshot(cwd), before);
  });

  it('updates the scripts, the integrity and the manifest of an older release', async () => {
    const cwd = await makeFolder({ 'index.html': page(search) });
    await init(cwd, '--yes');
    const current = await snapshot(cwd);
    const script = join(cwd, 'assets/webmcp-forms.iife.js');
    await writeFile(script, 'old');
    const { createHash } = await import('node:crypto');
    const old = `sha384-${createHash('sha384').update('old').digest('base64')}`;
    const index = await read(cwd, 'index.html');
    await writeFile(join(cwd, 'index.html'), index.replace(/ integrity="[^"]*"/, ` integrity="${old}"`));
    const { stdout } = await init(cwd, '--yes');
    assert.match(stdout, /^change {2}index\.html +integrity of the script$/m);
    const after = new Map(await snapshot(cwd));
    after.set(join(cwd, recordFile), current.get(join(cwd, recordFile)) ?? '');
    assert.deepEqual(after, current);
  });

  it('adds the check to package.json in its format, and a workflow with --github', async () => {
    const cwd = await makeFolder({
      'package.json': '{\n\t"name": "books",\n\t"devDependencies": {\n\t\t"zod": "1"\n\t}\n}\n',
      'site/index.html': page(search),
    });
    const { code, stdout } = await init(cwd, '--yes', '--github', 'site');
    assert.equal(code, 0);
    assert.match(stdout, /npx http-server site/);
    const text = await read(cwd, 'package.json');
    assert.match(
      text,
      /^\{\n\t"name": "books",\n\t"devDependencies": \{\n\t\t"webmcp-forms": "\^[^"]+",\n\t\t"zod": "1"\n\t\},\n\t"scripts": \{\n\t\t"webmcp": "webmcp-forms compile --check --out webmcp\.json site"\n\t\}\n\}\n$/,
    );
    assert.match(await read(cwd, '.github/workflows/webmcp.yml'), /compile --check --out webmcp\.json site$/m);
    const { scripts } = JSON.parse(text) as { readonly scripts: Readonly<Record<string, string>> };
    const [, ...argv] = (scripts['webmcp'] ?? '').split(' ');
    assert.equal((await runInProcess(argv, { cwd })).code, 0);
  });

  it('leaves a file webmcp.json that is not a manifest', async () => {
    const cwd = await makeFolder({ 'index.html': page(search), 'webmcp.json': '{"mine":true}' });
    const { code, stdout } = await init(cwd, '--yes');
    assert.equal(code, 0);
    assert.match(stdout, /webmcp\.json is not a manifest of webmcp-forms, so it was left\./);
    assert.equal(await read(cwd, 'webmcp.json'), '{"mine":true}');
  });

  it('refers to the scripts from the root in a page with a base URL, or by --assets-url', async () => {
    const base = page(search).replace('<title>', '<base href="/x/"><title>');
    const cwd = await makeFolder({ 'a/b.html': base });
    await init(cwd, '--yes');
    assert.match(await read(cwd, 'a/b.html'), /<script src="\/assets\/webmcp-forms\.iife\.js"/);
    const other = await makeFolder({ 'a/b.html': page(search) });
    await init(other, '--yes', '--assets', 'cdn/js', '--assets-url', 'https://cdn.example/js');
    assert.match(await read(other, 'a/b.html'), /<script src="https:\/\/cdn\.example\/js\/webmcp-forms\.iife\.js"/);
    assert.ok(await read(other, 'cdn/js/webmcp-forms.agent.js'));
  });

  it('reports forms of broken pages that it cannot annotate, and sets up the others', async () => {
    const broken = '<!doctype html><title>Contact</title><form action=/c method=post><label>Text<input name=t></label>';
    const cwd = await makeFolder({ 'index.html': page(search), 'broken.html': broken });
    const { code, stderr } = await init(cwd, '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /^broken\.html:1:38 not annotated: The form has no end tag in this file\./m);
    assert.equal(await read(cwd, 'broken.html'), broken);
    assert.match(await read(cwd, 'index.html'), /toolname/);
  });

  it('changes nothing if no form is a tool', async () => {
    const cwd = await makeFolder({ 'index.html': page(login), 'package.json': '{}' });
    const before = await snapshot(cwd);
    const { code, stdout } = await init(cwd, '--yes');
    assert.equal(code, 1);
    assert.match(stdout, /\[left out: login, for a person to submit; --include-sensitive writes it\]/);
    assert.match(stdout, /No form is a tool, so nothing was changed\. Add --include-sensitive to annotate/);
    assert.deepEqual(await snapshot(cwd), before);
  });

  it('writes nothing if one file is read-only, or leads out of the folder', async () => {
    const cwd = await makeFolder({ 'site/a.html': page(search), 'site/b.html': page(contact), 'x.html': page(search) });
    await chmod(join(cwd, 'site/b.html'), 0o444);
    const before = await snapshot(cwd);
    const readOnly = await init(cwd, '--yes', 'site');
    assert.equal(readOnly.code, 2);
    assert.match(readOnly.stderr, /Cannot write b\.html: it is read-only\. Make it writable\./);
    assert.deepEqual(await snapshot(cwd), before);
    await chmod(join(cwd, 'site/b.html'), 0o644);
    await symlink('../x.html', join(cwd, 'site/x.html'));
    const link = await init(cwd, '--yes', 'site');
    assert.equal(link.code, 2);
    assert.match(link.stderr, /Cannot write x\.html: a symbolic link leads to .*, outside of the folder\./);
    assert.deepEqual(await snapshot(cwd), before);
  });

  it('keeps the encoding and the line breaks of a page', async () => {
    const text = page(search)
      .replace('utf-8', 'iso-8859-1')
      .replace('Books</h1>', 'Bücher</h1>')
      .replaceAll('\n', '\r\n');
    const cwd = await makeFolder({ 'index.html': Buffer.from(text, 'latin1') });
    assert.equal((await init(cwd, '--yes')).code, 0);
    const changed = await readFile(join(cwd, 'index.html'), 'latin1');
    assert.match(changed, /Bücher/);
    assert.match(changed, /<meta charset="iso-8859-1">\r\n<script src="assets[^\n]*><\/script>\r\n<title>/);
  });

  it('requires --yes or --dry-run without a terminal, and a folder that exists', async () => {
    const cwd = await makeFolder(site);
    const { code, stderr } = await init(cwd);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /init asks questions, and standard input or output is not a terminal\. Use --yes, or --dry-run for a diff\./,
    );
    const missing = await init(cwd, '--yes', 'nowhere');
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /Cannot read nowhere: it does not exist\./);
    const empty = await init(await makeFolder({}), '--yes');
    assert.match(empty.stderr, /contains no page or template/);
    const outside = await init(cwd, '--yes', '--assets', '../x');
    assert.match(outside.stderr, /--assets \.\.\/x is outside of the site\./);
    assert.equal((await init(cwd, '--undo', '--yes')).code, 2);
  });
});

describe('webmcp-forms init for Vite', () => {
  it('prints the lines to add if it cannot change the configuration, and does the rest', async () => {
    const config = 'export default mergeConfig(base, { plugins: [] });\n';
    const cwd = await makeFolder({ 'vite.config.js': config, 'index.html': page(search), 'package.json': '{}' });
    const { code, stdout } = await init(cwd, '--yes');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^vite\.config\.js cannot be changed safely\. Add these lines to it: import \{ webmcpForms \} from 'webmcp-forms\/vite'; and plugins: \[webmcpForms\(\{ inject: true \}\)\]$/m,
    );
    assert.equal(await read(cwd, 'vite.config.js'), config);
    assert.match(await read(cwd, 'index.html'), /toolname="search_books"/);
    assert.match(
      await read(cwd, 'package.json'),
      /"webmcp": "webmcp-forms compile --check --out webmcp\.json index\.html"/,
    );
  });

  it('reads no files that the build writes or copies, and names the pages of folders in the check', async () => {
    const files = { 'index.html': page(search), 'shop/order.html': page(contact) };
    const others = { 'dist/index.html': page(search), 'public/old.html': page(search) };
    const cwd = await makeFolder({ 'vite.config.js': 'export default {};', 'package.json': '{}', ...files, ...others });
    assert.equal((await init(cwd, '--yes')).code, 0);
    assert.equal(await read(cwd, 'dist/index.html'), others['dist/index.html']);
    assert.equal(await read(cwd, 'public/old.html'), others['public/old.html']);
    assert.match(await read(cwd, 'package.json'), /--out webmcp\.json \\"\{index\.html,shop\/order\.html\}\\""/);
    const argv = ['compile', '--check', '--out', 'webmcp.json', '{index.html,shop/order.html}'];
    assert.equal((await runInProcess(argv, { cwd })).code, 0);
  });

  it('does not change a configuration in another encoding, whose characters it would replace', async () => {
    const cwd = await makeFolder({ 'index.html': page(search) });
    const config = Buffer.from('// caf\xe9\nexport default {};\n', 'latin1');
    await writeFile(join(cwd, 'vite.config.js'), config);
    assert.match((await init(cwd, '--yes')).stdout, /vite\.config\.js cannot be changed safely\./);
    assert.deepEqual(await readFile(join(cwd, 'vite.config.js')), config);
  });

  it('describes how a project without an HTML page gets the script', async () => {
    const cwd = await makeFolder({
      'vite.config.js': 'export default {};',
      'src/App.jsx': `export const App = () => ${search.replace('<label', '<label htmlFor="x"').replace('<input name="q">', '<input id="x" name="q" />')};`,
    });
    const { stdout } = await init(cwd, '--yes');
    assert.match(
      stdout,
      /The project has no HTML page, to which the plugin adds the script\. Import 'webmcp-forms\/auto'/,
    );
  });
});

describe('webmcp-forms init for templates', () => {
  const layout =
    '{% load static %}<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{% block title %}{% endblock %}</title>\n</head>\n<body>{% block content %}{% endblock %}</body></html>\n';
  const child = `{% extends "base.html" %}{% block content %}<h1>Contact us</h1><form method="post" action="{% url 'contact' %}">{% csrf_token %}<label>Message <textarea name="m"></textarea></label><button>Send message</button></form>{% endblock %}`;

  it('annotates templates of Django, and adds the script to the layout, but not to mails', async () => {
    const cwd = await makeFolder({
      'manage.py': '',
      'shop/apps.py': '',
      'shop/templates/base.html': layout,
      'shop/templates/contact.html': child,
      'shop/templates/email/order.html': layout,
      'venv/lib/site-packages/admin/base.html': layout,
    });
    const { code, stdout, stderr } = await init(cwd, '--yes');
    assert.equal(code, 0, stderr);
    assert.match(await read(cwd, 'shop/templates/base.html'), tag('/static/webmcp-forms.iife.js'));
    assert.match(
      await read(cwd, 'shop/templates/contact.html'),
      /<form toolname="send_message" .*action="\{% url 'contact' %\}">/,
    );
    assert.equal(await read(cwd, 'shop/templates/email/order.html'), layout);
    assert.equal(await read(cwd, 'venv/lib/site-packages/admin/base.html'), layout);
    assert.ok(await read(cwd, 'shop/static/webmcp-forms.agent.js'));
    assert.match(stdout, /^Django in \.$/m);
    assert.match(stdout, /npx webmcp-forms compile --depth 2 --out webmcp\.json http:\/\/localhost:8000\//);
    assert.match((await init(cwd, '--yes')).stdout, /Nothing to change/);
    assert.equal((await init(cwd, '--undo')).code, 0);
    assert.equal(await read(cwd, 'shop/templates/base.html'), layout);
  });

  it('prints the script tag and the folder to publish if it finds neither a layout nor a static file server', async () => {
    const cwd = await makeFolder({
      'package.json': '{"dependencies":{"express":"5"}}',
      'views/contact.ejs':
        '<%- include("head") %><form method="post" action="/contact"><label>Message <input name="m"></label><button>Send message</button></form>',
    });
    const { code, stdout } = await init(cwd, '--yes');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^No page or layout with a <head> was found\. Add <script src="\/webmcp-forms\.iife\.js"><\/script> to the head of the pages\.$/m,
    );
    assert.match(stdout, /^Check that the server publishes the folder public as \/\.$/m);
  });

  it('adds the script to a header of PHP', async () => {
    const cwd = await makeFolder({
      'index.php': `<?php include 'header.php'; ?>\n${search}`,
      'header.php':
        '<?php session_start(); ?>\n<!doctype html>\n<html><head>\n<title><?= $title ?></title></head><body>',
    });
    assert.equal((await init(cwd, '--yes')).code, 0);
    assert.match(await read(cwd, 'header.php'), /<html><head>\n<script src="\/assets\/webmcp-forms\.iife\.js" /);
    assert.match(await read(cwd, 'index.php'), /toolname="search_books"/);
  });
});

describe('webmcp-forms init in a terminal', () => {
  const enter = '\r';
  const questions = [
    [/Kind of site: static, vite, templates \(static\)/, enter],
    [/Folder for the scripts: /, enter],
    [/Annotate this form/, enter],
  ] as const;

  it('asks for the kind of site, the folder of the scripts and each form', async () => {
    const cwd = await makeFolder({ 'index.html': page(search) });
    const answers = [...questions, [/Write 4 files\?/, enter]] as const;
    const { code } = await answerQuestions(['init'], cwd, answers);
    assert.equal(code, 0);
    assert.match(await read(cwd, 'index.html'), tag('assets/webmcp-forms.iife.js'));
  });

  it('puts the scripts of templates in the given folder', async () => {
    const cwd = await makeFolder({ 'index.html': page(search) });
    const { code } = await answerQuestions(['init'], cwd, [
      [/Kind of site/, `t${enter}`],
      [/Folder for the scripts/, `\x15../x${enter}`],
      [/It is not a folder of the site/, `\x15web${enter}`],
      [/URL of this folder/, enter],
      [/Annotate this form/, enter],
      [/Write 3 files\?/, enter],
    ]);
    assert.equal(code, 0);
    assert.match(await read(cwd, 'index.html'), tag('/web/webmcp-forms.iife.js'));
    assert.ok(await read(cwd, 'web/webmcp-forms.agent.js'));
  });

  it('changes nothing if the last answer is "no", or after Ctrl+C', async () => {
    const cwd = await makeFolder({ 'index.html': page(search) });
    const refused = await answerQuestions(['init'], cwd, [...questions, [/Write 4 files\?/, `n${enter}`]]);
    assert.deepEqual([refused.code, refused.stderr], [2, 'webmcp-forms: Nothing was changed.\n']);
    const ended = await answerQuestions(['init'], cwd, [[/Kind of site/, '\x03']]);
    assert.deepEqual([ended.code, ended.stderr], [2, 'webmcp-forms: Nothing was changed.\n']);
    assert.equal(await read(cwd, 'index.html'), page(search));
    assert.deepEqual(await readdir(cwd), ['index.html']);
  });
});
