import assert from 'node:assert/strict';
import { readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { applicableForms, applyAnnotation, type ApplicableForm } from '../../src/vite/dev/apply.js';
import type { Problem } from '../../src/vite/problems.js';
import { makeFolder } from '../support/cli/running.js';

const search =
  '<form action="/search"><label>Title <input name=q type=search></label><button>Search books</button></form>';
const page = `<!doctype html>\n<title>Shop</title>\n${search}\n`;
const description = 'Searches for books with the given words and shows the results.';

const problemIn = (file: string, message = description): Problem => ({
  severity: 'info',
  message,
  pluginCode: 'form-without-tool',
  id: file,
  loc: { file, line: 3, column: 0 },
});

/** A site in a folder, with files beside it. */
async function siteOf(files: Readonly<Record<string, string>>): Promise<string> {
  return join(await realpath(await makeFolder(files)), 'site');
}

async function formIn(file: string, root: string): Promise<ApplicableForm | undefined> {
  const problem = problemIn(file);
  return (await applicableForms([problem], root)).get(problem);
}

describe('applyAnnotation', () => {
  it('adds the annotations to a form of the project, and changes no other byte', async () => {
    const root = await siteOf({ 'site/a.html': page });
    const form = await formIn(join(root, 'a.html'), root);
    assert.ok(form);
    await applyAnnotation(form, root);
    const text = await readFile(join(root, 'a.html'), 'utf8');
    assert.equal(text.replace(/<form toolname="search_books" [^>]* toolautosubmit /, '<form '), page);
    await assert.rejects(applyAnnotation(form, root), { name: 'UsageError', message: /a\.html: the form has changed/ });
  });

  it('writes nothing if the form has changed since it was suggested', async () => {
    const root = await siteOf({ 'site/a.html': page });
    const form = await formIn(join(root, 'a.html'), root);
    assert.ok(form);
    const changed = page.replace('books', 'films');
    await writeFile(join(root, 'a.html'), changed);
    await assert.rejects(applyAnnotation(form, root), /the form has changed/);
    assert.equal(await readFile(join(root, 'a.html'), 'utf8'), changed);
  });

  it('does not annotate files in node_modules or outside of the project, also through a symbolic link', async () => {
    const files = ['site/node_modules/x/a.html', 'out.html', 'site/b.html'];
    const root = await siteOf(Object.fromEntries(files.map((file) => [file, page])));
    for (const file of ['node_modules/x/a.html', '../out.html'])
      assert.equal(await formIn(join(root, file), root), undefined, file);
    await symlink('../out.html', join(root, 'link.html'));
    const linked = await formIn(join(root, 'link.html'), root);
    assert.ok(linked);
    await assert.rejects(applyAnnotation(linked, root), /outside of the folder/);
    assert.equal(await readFile(join(root, '../out.html'), 'utf8'), page);
  });

  it('does not annotate another form at the place of a suggestion, and forms that a person should submit', async () => {
    const login = `<!doctype html>\n\n<form method=post action=/login><label>User <input name=user></label><label>Password <input type=password name=p></label><button>Log in</button></form>`;
    const root = await siteOf({ 'site/a.html': page, 'site/b.html': login });
    const problems = [problemIn(join(root, 'a.html'), 'Finds trains.'), problemIn(join(root, 'b.html'))];
    assert.equal((await applicableForms(problems, root)).size, 0);
  });
});
