import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { engines, wantedEngines } from '../../../tools/browsers.mjs';
import { skipWithout } from '../../../tools/programs.mjs';
import { compileManifest, startGateway, type Session } from '../gateway.js';
import { callLive, openBrowser } from '../live.js';
import { textOf } from '../told.js';
import { Visitor } from '../visitor.js';
import { connection, firstUser, password, startWordPress, type WordPress } from './wordpress.js';

const skip = skipWithout('wordpress');
const setup = 'wp-admin/setup-config.php?step=1&noapi';
const install = 'wp-admin/install.php';
const title = 'Ünïcode & <b>trains</b> 鉄道';

/** Checks what the installation has written. WordPress stores the title with character references. */
async function checkInstallation({ database }: WordPress): Promise<void> {
  const [blog] = await database.query("SELECT option_value FROM wp_options WHERE option_name = 'blogname'");
  assert.equal(blog?.option_value, 'Ünïcode &amp; &lt;b&gt;trains&lt;/b&gt; 鉄道');
  const users = await database.query('SELECT user_login, user_email FROM wp_users');
  assert.deepEqual(users, [{ user_login: firstUser.user_name, user_email: firstUser.admin_email }]);
}

async function installLive(wordpress: WordPress): Promise<void> {
  const { site, database } = wordpress;
  const browser = await openBrowser('chromium');
  try {
    const tab = await browser.open(site, []);
    await tab.goto(site + setup);
    const wrong = await callLive(tab, 'connect_database', { ...connection(database), dbname: 'missing' });
    assert.match(textOf(wrong), /Cannot select database/);
    await tab.goto(site + setup);
    const connected = await callLive(tab, 'connect_database', connection(database));
    assert.match(textOf(connected), /Successful database connection/);
    await tab.goto(site + install);
    const secret = { admin_password: password, pw_weak: true };
    const told = await callLive(tab, 'install', { weblog_title: title, ...firstUser, ...secret });
    assert.match(textOf(told), /WordPress has been installed/);
  } finally {
    await browser.close();
  }
}

/** Installs through a gateway for each page: the installer exists only after the database is connected. */
async function installByGateway(wordpress: WordPress): Promise<void> {
  const { site, database } = wordpress;
  const visitor = new Visitor(site);
  const secrets = { install: { admin_password: password, admin_password2: password } };
  const open = async (path: string, values: object): Promise<Session> => {
    const manifest = await compileManifest('wordpress', [{ path, html: await visitor.read(path) }]);
    return (await startGateway({ manifest, site, config: { values } })).open('webtools');
  };
  const { pwd, ...opened } = connection(database); // the password of the database is in a text field
  const first = await open(setup, { connect_database: { pwd } });
  const wrong = await first.call('connect_database', { ...opened, dbname: 'missing' });
  assert.match(textOf(wrong), /Cannot select database/);
  const connected = await first.call('connect_database', opened);
  assert.match(textOf(connected), /Successful database connection/);
  await first.close();
  const second = await open(install, secrets);
  const invalid = await second.call('install', { weblog_title: title, ...firstUser, admin_email: 'nobody' });
  assert.match(textOf(invalid), /not a valid email address|admin_email/);
  const told = await second.call('install', { weblog_title: title, ...firstUser, pw_weak: true });
  assert.match(textOf(told), /WordPress has been installed/);
  await second.close();
}

describe('The installation of WordPress', { skip }, () => {
  const isWanted = wantedEngines().includes('chromium') && !skipWithout('chromium');
  it(`is completed by tools in ${engines.chromium.label}`, { skip: !isWanted }, async () => {
    const wordpress = await startWordPress();
    await installLive(wordpress);
    await checkInstallation(wordpress);
  });
  it('is completed by tools through the gateway', async () => {
    const wordpress = await startWordPress();
    await installByGateway(wordpress);
    await checkInstallation(wordpress);
  });
});
