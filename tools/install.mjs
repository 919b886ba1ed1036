import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engines, missingEngines, parallelPath, redisPath } from './browsers.mjs';
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

/** Runs `npm ci` unless node_modules holds exactly what package-lock.json names. */
export async function installPackages() {
  if (packagesAreCurrent()) return;
  console.log('Installing the packages of package-lock.json ...');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const code = await (npm?.endsWith('.js') ? runNode([npm, ...args]) : run('npm', args));
  if (code !== 0) throw new Error('`npm ci` failed (see above), so node_modules is incomplete. Run it by hand.');
}

const aptGetPath = '/usr/bin/apt-get';
const canInstall = () => process.getuid?.() === 0 && existsSync(aptGetPath);

async function aptGet(...args) {
  const env = { DEBIAN_FRONTEND: 'noninteractive', TMPDIR: '/tmp' }; // apt's own user cannot write in ours
  const code = await run(aptGetPath, ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) console.error(`apt-get ${args.join(' ')} failed with exit code ${code}.`);
}

/** Installs the missing ones of the wanted engines where that is possible, and gives the names of those still missing. */
export async function installEngines(wanted) {
  const missing = missingEngines(wanted);
  if (missing.length === 0) return missing;
  const sets = [...new Set(missing.map((name) => engines[name].packages))];
  if (!canInstall()) {
    tellWhatToInstall(missing);
    return missing;
  }
  console.log(`Installing ${sets.flat().join(', ')} ...`);
  await aptGet('update');
  for (const packages of sets) await aptGet('install', '-y', '--no-install-recommends', ...packages);
  return missingEngines(wanted);
}

const programs = [
  { name: 'GNU parallel', isHere: parallelPath, debian: 'parallel' },
  { name: 'Redis', isHere: redisPath, debian: 'redis-tools' },
];

/** Installs the programs that some tests run, where that is possible and they are missing. */
export async function installPrograms() {
  const missing = programs.filter(({ isHere }) => !isHere());
  if (missing.length === 0) return;
  if (!canInstall()) return missing.forEach(tellOfSkipped);
  const packages = missing.map(({ debian }) => debian);
  console.log(`Installing ${packages.join(', ')} ...`);
  await aptGet('update');
  for (const each of packages) await aptGet('install', '-y', '--no-install-recommends', each);
}

const tellOfSkipped = ({ name, debian }) =>
  console.log(`Not installed: ${name} (Debian: ${debian}). Its tests are skipped.`);

function tellWhatToInstall(missing) {
  const labels = missing.map((name) => engines[name].label).join(', ');
  const packages = [...new Set(missing.flatMap((name) => engines[name].packages))].join(' ');
  const variables = [...new Set(missing.map((name) => engines[name].variable))].join(', ');
  console.log(`Not installed: ${labels}. Install them (Debian: ${packages}), or say where they are in ${variables}.`);
}
