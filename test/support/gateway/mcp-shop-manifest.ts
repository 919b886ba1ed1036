import { compileHtml } from '../../../src/site/compile-html.js';
import { createManifest } from '../../../src/site/manifest/manifest.js';
import type { GatewayManifest } from '../../../gateway/src/manifest.js';

/** The page of a shop. */
export const page = `<!doctype html><title>Shop</title>
<form toolname=search tooltitle="Search" tooldescription="Finds goods." toolautosubmit action=/search>
  <input name=q required maxlength=20></form>
<form toolname=order tooldescription="Orders goods." method=post action=/order>
  <input name=goods required><input name=count type=number min=1 max=9 value=1></form>
<form toolname=log-in tooldescription="Logs in." toolautosubmit method=post action=/log-in><input name=user required></form>
<form toolname=who-am-i tooldescription="Says who is logged in." toolautosubmit action=/me></form>
<form toolname=wait tooldescription="Takes forever." toolautosubmit action=/wait></form>
<form toolname=settle tooldescription="Pays for goods." method=post action=/order>
  <input name=goods required><label>PIN of your <b>account</b> <input name=pin type=password required minlength=4></label></form>
<form toolname=fail tooldescription="Fails." toolautosubmit action=/fail></form>`;

export const manifestOf = (html: string, version = '1.0.0'): GatewayManifest => manifestOfPages([html], version);

export function manifestOfPages(pages: readonly string[], version = '1.0.0'): GatewayManifest {
  const about = { name: 'shop', description: 'A shop that sells tea.', version, profile: 'precise' } as const;
  const compiled = pages.map((html, index) =>
    compileHtml(html, { path: index === 0 ? 'index.html' : `${index}.html` }),
  );
  return JSON.parse(JSON.stringify(createManifest(compiled, about))) as GatewayManifest;
}

export const manifest = manifestOf(page);
