import assert from 'node:assert/strict';
import { both, reads, saves, type Flow, type Path } from '../flows.js';
import { overHttp, themeFile, withLineFeeds, type Blog } from './application.js';
import { hasPlainUrl } from './php.js';

const settings = 'wp-admin/options-general.php';
const theme = 'wp-admin/theme-editor.php?file=style.css&theme=twentytwentythree';
const uploader = 'wp-admin/media-new.php?browser-uploader';

/** A picture with one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const uploads = (blog: Blog): readonly Flow[] => [
  {
    name: 'A picture is uploaded',
    paths: overHttp,
    as: 'ada',
    page: uploader,
    tool: 'upload_media',
    input: (path) => ({ 'async-upload': { name: `pixel-${path}.png`, mediaType: 'image/png', content: png } }),
    check: saves(
      () => blog.value("SELECT CONCAT(post_title, ' ', post_mime_type) FROM wp_posts ORDER BY ID DESC LIMIT 1"),
      (path) => `pixel-${path} image/png`,
    ),
  },
  {
    name: 'A file type that WordPress refuses is refused with the reason of the page',
    paths: ['chromium', 'webtools', 'mcp-http'],
    as: 'ada',
    page: uploader,
    tool: 'upload_media',
    input: () => ({
      'async-upload': { name: 'program.exe', mediaType: 'application/octet-stream', content: 'TVqQ' },
    }),
    check: both(reads(/Sorry, you are not allowed to upload this file type/), async () => {
      assert.equal(await blog.value("SELECT COUNT(*) FROM wp_posts WHERE post_title LIKE 'program%'"), '0');
    }),
  },
];

const styleBy = (path: Path): string => `/*\nTheme Name: Twenty Twenty-Three\n*/\n.${path} {\n\tmargin: 0;\n}\n`;

export const administration = (blog: Blog): readonly Flow[] => [
  {
    name: 'The theme editor saves the file, and the agent reads that it is saved',
    paths: overHttp,
    as: 'ada',
    page: theme,
    tool: 'edit_theme',
    input: (path) => ({ newcontent: styleBy(path) }),
    check: both(
      saves(() => withLineFeeds(blog.read(themeFile)), styleBy),
      reads(/File edited successfully/),
      hasPlainUrl(/theme-editor\.php\?.*theme=twentytwentythree&file=style\.css/),
    ),
  },
  {
    name: 'The settings are saved, and the agent reads the confirmation',
    paths: ['chromium', 'webmcp', 'webtools', 'mcp-stdio'],
    as: 'ada',
    page: settings,
    tool: 'change_settings',
    input: (path) => ({ blogdescription: `Züge & mehr 鉄道 ${path}` }),
    check: both(
      saves(
        () => blog.value("SELECT option_value FROM wp_options WHERE option_name = 'blogdescription'"),
        (path) => `Züge &amp; mehr 鉄道 ${path}`,
      ),
      reads(/Settings saved/),
      hasPlainUrl(/\/wp-admin\/options-general\.php\?settings-updated=true$/),
    ),
  },
  {
    name: 'The profile is saved, with the line breaks of the biography',
    as: 'ada',
    page: 'wp-admin/profile.php',
    tool: 'change_profile',
    input: (path) => ({ first_name: `Ada ${path}`, description: 'First line\nSecond line' }),
    check: both(
      saves(
        async () =>
          withLineFeeds(
            await blog.value(`SELECT GROUP_CONCAT(meta_value ORDER BY meta_key SEPARATOR '|') FROM wp_usermeta
              WHERE user_id = 1 AND meta_key IN ('first_name', 'description')`),
          ),
        (path) => `First line\nSecond line|Ada ${path}`,
      ),
      reads(/Profile updated/),
      hasPlainUrl(/\/wp-admin\/profile\.php\?updated=1$/),
    ),
  },
  {
    name: 'A profile without a nickname is refused with the reason of the page',
    as: 'ada',
    page: 'wp-admin/profile.php',
    tool: 'change_profile',
    input: () => ({ nickname: '' }),
    check: both(reads(/Please enter a nickname|nickname/), async () => {
      assert.equal(await blog.value("SELECT meta_value FROM wp_usermeta WHERE meta_key = 'nickname'"), 'ada');
    }),
  },
  {
    name: 'A search lists the posts with the word',
    paths: ['chromium', 'webmcp', 'webtools'],
    page: '?s=train',
    tool: 'search',
    input: () => ({ s: 'Welcome to WordPress' }),
    check: reads(/Hello world!/),
  },
];

const tagline = (blog: Blog): Promise<unknown> =>
  blog.value("SELECT option_value FROM wp_options WHERE option_name = 'blogdescription'");

const notSaved =
  (blog: Blog): Flow['check'] =>
  async () => {
    assert.doesNotMatch(String(await tagline(blog)), /not saved/);
  };

export const sessions = (blog: Blog): readonly Flow[] => [
  {
    name: 'A page with an expired nonce is refused with the reason of the page',
    paths: ['chromium', 'firefox'],
    as: 'ada',
    page: settings,
    tool: 'change_settings',
    meanwhile: () => blog.expireNonces(),
    input: () => ({ blogdescription: 'not saved' }),
    check: both(reads(/The link you followed has expired/), notSaved(blog)),
  },
  {
    name: 'The gateway reads a fresh nonce when the old one has expired',
    paths: ['webtools'],
    as: 'ada',
    page: settings,
    tool: 'change_settings',
    meanwhile: () => blog.expireNonces(),
    input: () => ({ blogdescription: 'Fresh' }),
    check: saves(
      () => tagline(blog),
      () => 'Fresh',
    ),
  },
  {
    name: 'A session that ends before the call leads to the login',
    paths: ['chromium', 'webtools', 'mcp-http'],
    as: 'ada',
    page: settings,
    tool: 'change_settings',
    meanwhile: () => blog.endSessions('ada'),
    input: () => ({ blogdescription: 'not saved' }),
    check: both(reads(/wp-login\.php/, /log ?in/i), notSaved(blog)),
  },
  {
    name: 'A call without a login leads to the login page',
    paths: ['webtools', 'mcp-stdio'],
    page: settings,
    tool: 'change_settings',
    input: () => ({ blogdescription: 'not saved' }),
    check: both(
      (told) => {
        assert.ok(told.error);
        assert.doesNotMatch(told.error.message, /Compile the manifest/);
      },
      reads(/wp-login\.php/, /log ?in/i),
      notSaved(blog),
    ),
  },
  {
    name: 'A user without the permission is refused with the reason of the page',
    paths: ['webtools'],
    as: 'bob',
    page: settings,
    tool: 'change_settings',
    input: () => ({ blogdescription: 'not saved' }),
    check: both(reads(/403/, /Sorry, you are not allowed to access this page/), notSaved(blog)),
  },
];
