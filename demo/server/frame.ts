/** The header, the footer and the panel of tools, which all pages of the restaurant have. */

const pages = {
  '/menu.html': 'Menu',
  '/reservation.html': 'Book a table',
  '/order.html': 'Order',
  '/frameworks.html': 'Gifts and events',
  '/components.html': 'Extras',
  '/admin.html': 'Back office',
  '/agent.html': 'Watch an agent',
};

const lines = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h16" /></svg>';

const linkTo = ([path, label]: readonly [string, string], current: string): string =>
  `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${label}</a></li>`;

const headerOf = (current: string): string => `<a class="skip" href="#main">Skip to content</a>
    <header class="bar">
      <div class="wrap wide">
        <a class="brand" href="/restaurant.html"${current === '/restaurant.html' ? ' aria-current="page"' : ''}
          ><img src="/lantern.svg" alt="" width="28" height="28" />Osteria Lume</a
        >
        <nav aria-label="Restaurant" id="pages" popover>
          <ul>
            ${Object.entries(pages)
              .map((page) => linkTo(page, current))
              .join('')}
          </ul>
        </nav>
        <button type="button" class="quiet to-tools" aria-expanded="false" aria-controls="tools">
          Tools<span> on this page</span>
        </button>
        <button type="button" class="quiet to-pages" popovertarget="pages" aria-label="Pages">${lines}</button>
      </div>
    </header>`;

const footer = `<footer class="bar">
      <div class="wrap wide">
        <p><strong>Osteria Lume</strong>, 14 Harbour Lane. Open Tuesday to Sunday, 17:30 to 23:00.</p>
        <p>
          This restaurant exists only in the demo of <a href="/">webmcp-forms</a>. Read its
          <a href="/docs/">documentation</a>.
        </p>
      </div>
    </footer>
    <dialog id="tools" class="tools" aria-labelledby="tools-title">
      <div class="tools-head">
        <h2 id="tools-title">Tools on this page</h2>
        <button type="button" class="quiet">Close</button>
      </div>
      <p class="hint">The tools that an agent can call here.</p>
      <webmcp-inspector></webmcp-inspector>
    </dialog>`;

/** Replaces the comments of a page that stand for the parts that all pages have. */
export const withFrame = (html: string, path: string): string =>
  html.replace('<!-- header -->', () => headerOf(path)).replace('<!-- footer -->', footer);
