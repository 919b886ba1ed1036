/** The URL of a manifest's page: `index.html` stands for its folder. Credentials of the base URL are kept. */
export function pageUrl(baseUrl: URL, path: string): string {
  const folder = path.replace(/(^|\/)index\.html$/, '$1');
  const segments = folder.split('/').map((segment) => encodeURIComponent(segment));
  return new URL(`./${segments.join('/')}`, baseUrl).href;
}
