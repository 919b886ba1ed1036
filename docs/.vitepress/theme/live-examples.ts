/** Loads the polyfill and the elements in pages with an element of class `live-example`. */
export async function loadLiveExamples(): Promise<void> {
  if (!document.querySelector('.live-example')) return;
  await import('../../../src/auto.js');
  await import('../../../elements/index.js');
}
