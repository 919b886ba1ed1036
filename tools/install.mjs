import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programs } from './programs.mjs';
import { fail, root, run, runNode } from './run.mjs';

const readLock = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
const lockOf = (folder) => readLock(join(folder, 'package-lock.json'));

/**
 * The packages of a lock file, as PATH@VERSION, or as NAME@VERSION outside of the root, where the paths of installed
 * packages differ from the paths in the lock file. Links have no version.
 */
const idsOf = (packages, folder) =>
  new Set(
    Object.entries(packages)
      .filter(([path, { version }]) => path !== '' && version)
      .map(([path, { name, version }]) => {
        const place = folder === '.' ? path : (name ?? path.replace(/^.*node_modules\//, ''));
        return `${place}@${version}`;
      }),
  );

const withoutOptional = (packages) =>
  Object.fromEntries(Object.entries(packages).filter(([, entry]) => !entry.optional));

function packagesAreCurrent(folder) {
  const installedLock = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(join(root, installedLock))) return false;
  const installed = idsOf(readLock(installedLock), folder);
  const possible = idsOf(lockOf(folder), folder);
  const isComplete = [...idsOf(withoutOptional(lockOf(folder)), folder)].every((id) => installed.has(id));
  return isComplete && [...installed].every((id) => possible.has(id));
}

/** The folders of packages in a folder `node_modules`, without nested ones. */
function packageFolders(modules) {
  if (!existsSync(modules)) return [];
  return readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}

/** The number of packages that npm has unpacked. With `install-strategy=linked`, they are in `.store`. */
function countUnpacked(folder) {
  const modules = join(root, folder, 'node_modules');
  const stored = packageFolders(join(modules, '.store')).map(
    (name) => `node_modules/.store/${name}/node_modules/${name.replace(/@[^@]*$/, '')}`,
  );
  const paths = stored.length > 0 ? stored : Object.keys(lockOf(folder));
  return paths.filter((path) => path.includes('node_modules') && existsSync(join(root, folder, path, 'package.json')))
    .length;
}

const ci = ['ci', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Runs `npm ci` in the root, or in another folder with a lock file, unless its node_modules matches the lock. Prints the
 * progress, because npm prints nothing without a terminal.
 */
export async function installPackages(folder = '.') {
  if (packagesAreCurrent(folder)) return;
  const began = performance.now();
  const report = () =>
    console.log(`  ${countUnpacked(folder)} packages after ${Math.round((performance.now() - began) / 1000)} s`);
  const lock = join(folder, 'package-lock.json');
  console.log(`Installing about ${idsOf(withoutOptional(lockOf(folder))).size} packages of ${lock} ...`);
  const timer = setInterval(report, 5000);
  const code = await npm(...ci, '--prefix', folder).finally(() => clearInterval(timer));
  if (code !== 0) throw new Error(`\`npm ci --prefix ${folder}\` failed. See the errors above.`);
  report();
}

function npm(...args) {
  const program = process.env.npm_execpath;
  return program?.endsWith('.js') ? runNode([program, ...args]) : run('npm', args);
}

const aptGetPath = '/usr/bin/apt-get';
const canInstall = () => process.getuid?.() === 0 && existsSync(aptGetPath);

/** The options of dpkg on CI, where it does not wait until each file is on the disk. */
const unsafe = process.env.CI === 'true' ? ['-o', 'Dpkg::Options::=--force-unsafe-io'] : [];

/** Returns whether apt-get succeeded. */
async function aptGet(...args) {
  // The user `_apt` cannot write to the TMPDIR of the tests. With SYSTEMD_OFFLINE, the Redis package starts no service.
  const env = { DEBIAN_FRONTEND: 'noninteractive', TMPDIR: '/tmp', SYSTEMD_OFFLINE: '1' };
  const code = await run(aptGetPath, ['-qq', ...unsafe, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) console.error(`apt-get ${args.join(' ')} failed with exit code ${code}.`);
  return code === 0;
}

const install = (packages) => aptGet('install', '-y', '--no-install-recommends', ...packages);

/** Installs missing programs if possible, and returns the names of those that are still missing. */
export async function installPrograms(names) {
  const findMissing = () => names.filter((name) => !programs[name].isInstalled());
  const missing = findMissing();
  if (missing.length === 0 || !canInstall()) return missing;
  console.log(`Installing ${packagesFor(missing).join(', ')} ...`);
  await aptGet('update');
  if (!(await install(packagesFor(missing)))) for (const name of findMissing()) await install(programs[name].packages);
  return findMissing();
}

const packagesFor = (names) => [...new Set(names.flatMap((name) => programs[name].packages))];

export function installAdvice(names) {
  const variables = names.flatMap((name) => programs[name].variable ?? []);
  const orSet = variables.length > 0 ? `, or set ${variables.join(', ')} to the paths of the browsers` : '';
  return `Install the missing programs (Debian: ${packagesFor(names).join(' ')})${orSet}.`;
}

/** `node tools/install.mjs [FOLDER]` installs the packages of the root and of a folder. */
async function installFolders() {
  for (const folder of ['.', ...process.argv.slice(2)]) await installPackages(folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await installFolders().catch(fail);
