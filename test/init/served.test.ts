import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { pagesOf, startSite, toolPage } from '../support/crawl/site-server.js';
import { makeFolder, runInProcess } from '../support/cli/running.js';

describe('webmcp-forms init with a URL', () => {
  it('writes the manifest of a page and those it links to, and shows the first tool and the gateway', async () => {
    const { origin } = await startSite(pagesOf({ '/': '<a href="/list">List</a>', '/list': toolPage('list') }));
    const cwd = await makeFolder();
    const { code, stdout } = await runInProcess(['init', `${origin}/`], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /^1 tool written to webmcp\.json$/m);
    assert.ok(stdout.includes(`The first tool is list on ${origin}/list\n`), stdout);
    assert.ok(stdout.includes(`--base-url ${origin}/ --allow-private webmcp.json`), stdout);
    const manifest = await readFile(join(cwd, 'webmcp.json'), 'utf8');
    const again = await runInProcess(['init', `${origin}/`], { cwd });
    assert.match(again.stdout, /^webmcp\.json is up to date \(1 tool\)$/m);
    assert.equal(await readFile(join(cwd, 'webmcp.json'), 'utf8'), manifest);
  });

  it('writes nothing for a page without tools, with --dry-run, and over other content', async () => {
    const { origin } = await startSite(pagesOf({ '/': '<form><input name=a></form>', '/list': toolPage('list') }));
    const cwd = await makeFolder();
    const none = await runInProcess(['init', `${origin}/`], { cwd });
    assert.equal(none.code, 1);
    assert.match(none.stdout, /have no tools\. Nothing was written\./);
    const dry = await runInProcess(['init', '--dry-run', `${origin}/list`], { cwd });
    assert.match(dry.stdout, /^1 tool would be written to webmcp\.json$/m);
    assert.deepEqual(await readdir(cwd), []);
    await writeFile(join(cwd, 'webmcp.json'), '{}');
    const other = await runInProcess(['init', `${origin}/list`], { cwd });
    assert.equal(other.code, 2);
    assert.match(
      other.stderr,
      /webmcp\.json exists and has other content\. Run webmcp-forms compile .* to replace it\./,
    );
    assert.equal(await readFile(join(cwd, 'webmcp.json'), 'utf8'), '{}');
  });

  it('rejects options for files', async () => {
    const cwd = await makeFolder();
    for (const option of ['--undo', '--github', '--kind=vite', '--assets=x']) {
      const { code, stderr } = await runInProcess(['init', option, 'http://localhost:1/'], { cwd });
      assert.equal(code, 2);
      assert.match(
        stderr,
        /^webmcp-forms: --\w+ is for the files of a site, and http:\/\/localhost:1\/ is a URL\. Omit it\.$/m,
      );
    }
  });
});
