const entry = /<script type="module" src="([^"]*)"><\/script>/;
const modulePreload = /<link rel="modulepreload" (href="[^"]*")>/g;

/**
 * Lets the browser paint a page before it compiles and runs the scripts of the site: the text is complete without them. They
 * are loaded at the same time as before, after the styles.
 */
export const startAfterPaint = (html: string): string =>
  html
    .replace(modulePreload, (_link, href: string) => preload(href))
    .replace(entry, (_script, url: string) => preload(`href="${url}"`) + startScript(url));

const preload = (href: string): string => `<link rel="preload" as="script" crossorigin fetchpriority="low" ${href}>`;

const startScript = (url: string): string =>
  `<script type="module">requestAnimationFrame(() => setTimeout(() => import(${JSON.stringify(url)})))</script>`;
