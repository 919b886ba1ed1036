import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const onPath = (...names) =>
  names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, name))).find(existsSync);

const firstOf = (...paths) => paths.find(existsSync);

export const chromiumPath = () =>
  process.env.CHROME_PATH ??
  onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  firstOf(
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  );

/**
 * The headless shell of Chromium, which takes 40 % less CPU time. Returns Chromium if the shell is not installed, or if
 * CHROME_PATH names another program.
 */
export const headlessChromiumPath = () =>
  process.env.CHROME_PATH ?? onPath('chromium-headless-shell', 'chrome-headless-shell') ?? chromiumPath();

export const firefoxPath = () =>
  process.env.FIREFOX_PATH ??
  onPath('firefox-esr', 'firefox') ??
  firstOf('/Applications/Firefox.app/Contents/MacOS/firefox');

export const webkitDriverPath = () => process.env.WEBKIT_DRIVER ?? onPath('WebKitWebDriver');

export const xvfbPath = () => onPath('Xvfb');

/** Debian's Python, which has Debian's Django. Another Python may be first in PATH. */
export const pythonPath = () => firstOf('/usr/bin/python3');

export const phpPath = () => onPath('php');

/** Debian's Ruby, which has Debian's Rails. Another Ruby may be first in PATH. */
export const rubyPath = () => firstOf('/usr/bin/ruby');

/** MariaDB's programs. Debian has the server in /usr/sbin, which is not in every user's PATH. */
const mariadbPath = (name) => onPath(name) ?? firstOf(join('/usr/sbin', name));

const hasPythonPackages = (...names) =>
  !!pythonPath() && names.every((name) => existsSync(join('/usr/lib/python3/dist-packages', name)));

// Debian enables a PHP extension by a file below /etc/php, in a folder for each PHP version.
const phpExtensions = () =>
  firstOf('/etc/php') ? readdirSync('/etc/php', { recursive: true }).map((path) => path.split('-').at(-1)) : [];

const hasPhp = (...extensions) =>
  !!phpPath() && extensions.every((extension) => phpExtensions().includes(`${extension}.ini`));

/** The test browser of WebKitGTK. It is installed next to the library and is not in PATH. */
export function miniBrowserPath() {
  if (process.env.WEBKIT_BROWSER || !existsSync('/usr/lib')) return process.env.WEBKIT_BROWSER;
  const folders = ['.', ...readdirSync('/usr/lib').filter((folder) => folder.includes('-linux-'))];
  const apis = ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'];
  return firstOf(...folders.flatMap((folder) => apis.map((api) => join('/usr/lib', folder, api, 'MiniBrowser'))));
}

const hasWebkit = () => !!webkitDriverPath() && !!miniBrowserPath() && !!(process.env.DISPLAY || xvfbPath());

/**
 * The programs that the tests run, besides Node.js, npm, git and the essential Debian packages: whether each program is
 * installed, its Debian packages, the environment variable for its path, and the steps of `npm test` that need it.
 */
export const programs = {
  chromium: {
    label: 'Chromium',
    isInstalled: () => !!chromiumPath(),
    packages: ['chromium', 'chromium-headless-shell'],
    variable: 'CHROME_PATH',
    steps: ['node', 'browsers', 'e2e', 'apps'],
  },
  firefox: {
    label: 'Firefox',
    isInstalled: () => !!firefoxPath(),
    packages: ['firefox-esr'],
    variable: 'FIREFOX_PATH',
    steps: ['browsers', 'e2e', 'apps'],
  },
  webkit: {
    label: 'WebKitGTK',
    isInstalled: hasWebkit,
    packages: ['webkit2gtk-driver', 'xvfb', 'xauth'],
    variable: 'WEBKIT_DRIVER',
    steps: ['browsers', 'e2e'],
  },
  curl: { label: 'curl', isInstalled: () => !!onPath('curl'), packages: ['curl'], steps: ['node', 'e2e'] },
  openssl: { label: 'OpenSSL', isInstalled: () => !!onPath('openssl'), packages: ['openssl'], steps: ['node'] },
  parallel: { label: 'GNU parallel', isInstalled: () => !!onPath('parallel'), packages: ['parallel'], steps: ['node'] },
  redis: { label: 'Redis', isInstalled: () => !!onPath('redis-server'), packages: ['redis-server'], steps: ['node'] },
  django: {
    label: 'Django',
    isInstalled: () => hasPythonPackages('django', 'PIL'),
    packages: ['python3-django', 'python3-pil'],
    steps: ['apps'],
  },
  wordpress: {
    label: 'WordPress with MariaDB',
    isInstalled: () =>
      hasPhp('mysqli', 'gd', 'xml', 'mbstring') &&
      !!mariadbPath('mariadbd') &&
      existsSync('/usr/share/wordpress/wp-content/themes/twentytwentythree'),
    packages: [
      'php-cli',
      'php-mysql',
      'php-gd',
      'php-xml',
      'php-mbstring',
      'mariadb-server-core',
      'mariadb-client',
      'wordpress',
      'wordpress-theme-twentytwentythree',
    ],
    steps: ['apps'],
  },
  dokuwiki: {
    label: 'DokuWiki',
    isInstalled: () => hasPhp('xml', 'mbstring', 'gd') && existsSync('/usr/share/dokuwiki/doku.php'),
    packages: ['php-cli', 'php-xml', 'php-mbstring', 'php-gd', 'dokuwiki'],
    steps: ['apps'],
  },
  mediawiki: {
    label: 'MediaWiki with SQLite',
    isInstalled: () =>
      hasPhp('pdo_sqlite', 'xml', 'mbstring', 'intl') && existsSync('/usr/share/mediawiki/maintenance/install.php'),
    packages: ['php-cli', 'php-sqlite3', 'php-xml', 'php-mbstring', 'php-intl', 'mediawiki'],
    steps: ['apps'],
  },
  redmine: {
    label: 'Redmine with SQLite',
    isInstalled: () => !!rubyPath() && !!onPath('sqlite3') && existsSync('/usr/share/redmine/config/environment.rb'),
    // Without dbconfig-no-thanks, Debian creates a database while it installs the package, which takes a minute.
    packages: ['redmine', 'redmine-sqlite', 'dbconfig-no-thanks'],
    steps: ['apps'],
  },
};

/** Whether tests that need a program are skipped. On CI they fail instead. */
export const skipWithout = (name) => process.env.CI !== 'true' && !programs[name].isInstalled();
