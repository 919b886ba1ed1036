import { programs } from './programs.mjs';

/** The engines of the browser tests, each with a key of `programs`. */
export const engines = {
  chromium: { label: 'Chromium', program: 'chromium' },
  webmcp: { label: 'Chromium+WebMCP', program: 'chromium' },
  firefox: { label: 'Firefox', program: 'firefox' },
  webkit: { label: 'WebKitGTK', program: 'webkit' },
};

/** The engines in the variable ENGINES, separated by commas. The default is all engines. */
export function wantedEngines(list = process.env.ENGINES) {
  const wanted = list ? list.split(',').map((name) => name.trim()) : Object.keys(engines);
  const unknown = wanted.filter((name) => !Object.hasOwn(engines, name));
  if (unknown.length === 0) return wanted;
  throw new Error(`ENGINES contains ${unknown.join(', ')}. The engines are ${Object.keys(engines).join(', ')}.`);
}

export const missingEngines = (wanted) => wanted.filter((name) => !programs[engines[name].program].isInstalled());

/** The programs that steps of `npm test` need, except for engines that ENGINES excludes. */
export function programsFor(steps) {
  const used = wantedEngines().map((name) => engines[name].program);
  const unused = Object.values(engines).filter(({ program }) => !used.includes(program));
  const isUnused = (name) => unused.some(({ program }) => program === name);
  return Object.keys(programs).filter(
    (name) => !isUnused(name) && programs[name].steps.some((step) => steps.includes(step)),
  );
}

/** Preferences for tests. A lower frame rate and no preloaded process reduce the CPU time by a sixth. */
export const firefoxPreferences = { 'layout.frame_rate': 30, 'dom.ipc.processPrelaunch.enabled': false };
