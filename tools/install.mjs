import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programs } from './programs.mjs';
import { root, run, runNode } from './run.mjs';

const packagesOf = (lockFile) => JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;

const samePackage = (wanted, installed) =>
  installed ? wanted.version === installed.version && wanted.integrity === installed.integrity : !!wanted.optional;

function packagesAreCurrent() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  return (
    Object.entries(wanted).every(([path, entry]) => path === '' || samePackage(entry, installed[path])) &&
    Object.keys(installed).every((path) => path in wanted)
  );
}

/** Runs `npm ci` unless node_modules matches package-lock.json. */
export async function installPackages() {
  if (packagesAreCurrent()) return;
  console.log('Installing the packages of package-lock.json ...');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const code = await (npm?.endsWith('.js') ? runNode([npm, ...args]) : run('npm', args));
  if (code !== 0) throw new Error('`npm ci` failed, so node_modules is incomplete. See the errors above.');
}

const aptGetPath = '/usr/bin/apt-get';
const canInstall = () => process.getuid?.() === 0 && existsSync(aptGetPath);

async function aptGet(...args) {
  // The user `_apt` cannot write to the TMPDIR of the tests. SYSTEMD_OFFLINE prevents the Redis package from starting a service.
  const env = { DEBIAN_FRONTEND: 'noninteractive', TMPDIR: '/tmp', SYSTEMD_OFFLINE: '1' };
  const code = await run(aptGetPath, ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) console.error(`apt-get ${args.join(' ')} failed with exit code ${code}.`);
}

/** Installs missing programs if possible, and returns the names of those that are still missing. */
export async function installPrograms(names) {
  const findMissing = () => names.filter((name) => !programs[name].isInstalled());
  const missing = findMissing();
  if (missing.length === 0 || !canInstall()) return missing;
  console.log(`Installing ${packagesFor(missing).join(', ')} ...`);
  await aptGet('update');
  for (const name of missing) await aptGet('install', '-y', '--no-install-recommends', ...programs[name].packages);
  return findMissing();
}

const packagesFor = (names) => names.flatMap((name) => programs[name].packages);

export function installAdvice(names) {
  const variables = names.flatMap((name) => programs[name].variable ?? []);
  const orSet = variables.length > 0 ? `, or set ${variables.join(', ')} to the paths of the browsers` : '';
  return `Install the missing programs (Debian: ${packagesFor(names).join(' ')})${orSet}.`;
}
