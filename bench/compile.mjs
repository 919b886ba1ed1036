// Measures compile time relative to parse5, pages without tools, and memory: npm run bench
import { parse } from 'parse5';
import { compileHtml } from '../dist/build.js';
import { race } from './measure.mjs';
import { demo, fixtures, pages, pagesWithoutTools } from './pages.mjs';

const parseAll = (list) => () => {
  for (const page of list) parse(page, { sourceCodeLocationInfo: true });
};
const compileAll = (list, profile) => () => {
  for (const page of list) compileHtml(page, { path: 'page.html', profile });
};

function compareCompiling(list) {
  const { milliseconds, ratio } = race({
    parse5: parseAll(list),
    chromium: compileAll(list, 'chromium'),
    precise: compileAll(list, 'precise'),
    portable: compileAll(list, 'portable'),
  });
  const over = (name) => ratio(name, 'parse5').toFixed(2);
  return {
    'parse5 ms': milliseconds('parse5').toFixed(0),
    chromium: over('chromium'),
    precise: over('precise'),
    portable: over('portable'),
  };
}

function compareSkipping() {
  const { ratio } = race({ parse5: parseAll(pagesWithoutTools), skip: compileAll(pagesWithoutTools, 'precise') });
  return `${ratio('parse5', 'skip').toFixed(0)} times faster than parsing them (at least 20)`;
}

/** The used heap in MB after every 1,000 of 5,000 pages. */
function memory() {
  const used = [];
  for (let count = 1; count <= 5000; count++) {
    compileHtml(pages[count % pages.length], { path: `${count}.html` });
    if (count % 1000 > 0) continue;
    globalThis.gc();
    used.push((process.memoryUsage().heapUsed / 1e6).toFixed(1));
  }
  return `${used.join(', ')} MB in use after 1,000, 2,000, ... 5,000 pages (flat)`;
}

console.log('Compile time over parse5 alone with source locations (asked: at most 1.25):');
console.table({
  'whole pages': compareCompiling(pages),
  "the demo's pages": compareCompiling(demo),
  'nothing but forms': compareCompiling(fixtures),
});
console.log(`Pages without tools: ${compareSkipping()}`);
console.log(`Memory: ${memory()}`);
