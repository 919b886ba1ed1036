import { it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { prepareFlows, type Flow } from '../flows.js';
import { startMediaWiki, type MediaWiki, type MediaWikiOptions } from './mediawiki.js';
import { excludedFlows, includedFlows, textFlows, visitorPages } from './visitor-flows.js';

interface Case {
  readonly name: string;
  readonly options: MediaWikiOptions;
  readonly flows: (wiki: MediaWiki) => readonly Flow[];
}

const settings = '$wgRawHtml = true;';

const cases: readonly Case[] = [
  { name: 'MediaWiki that excludes texts of visitors', options: {}, flows: textFlows },
  { name: 'MediaWiki that excludes HTML of visitors', options: { settings }, flows: excludedFlows },
  {
    name: 'MediaWiki that does not exclude HTML of visitors',
    options: { settings, excludesVisitors: false },
    flows: includedFlows,
  },
];

const skip = skipWithout('mediawiki');
if (skip) it('MediaWiki with content of visitors', { skip }, () => undefined);
else {
  const prepared: (() => void)[] = [];
  for (const { name, options, flows } of cases) {
    const wiki = await startMediaWiki(options);
    prepared.push(await prepareFlows({ ...wiki, name, pages: visitorPages, config: {} }, flows(wiki)));
  }
  for (const addTests of prepared) addTests();
}
