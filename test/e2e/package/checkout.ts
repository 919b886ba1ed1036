import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const execute = promisify(execFile);

/** A page with a tool and a form that is not a tool. */
export const page =
  '<!doctype html><title>Shop</title><form toolname="find" tooldescription="Finds books." toolautosubmit action="/find">' +
  '<label>Words <input name="q" required></label><button>Find</button></form><form action="/subscribe" method="post">' +
  '<h2>Newsletter</h2><label>Email <input type="email" name="email" required></label><button>Subscribe</button></form>';
