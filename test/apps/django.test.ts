import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { skipWithout } from '../../tools/programs.mjs';
import { password, startLibrary } from './django/library.js';
import { allPaths, both, reads, runFlows, saves, type Flow } from './flows.js';

const skip = skipWithout('django');

describe('applications in Django', { skip }, async () => {
  if (skip !== false) return;
  const library = await startLibrary();
  const flows: readonly Flow[] = [
    {
      name: 'signs in',
      paths: allPaths,
      page: 'accounts/login/',
      tool: 'sign_in',
      input: () => ({ username: 'ada', password }),
      check: reads(/Welcome, ada/),
    },
    {
      name: 'adds an object in the admin',
      paths: allPaths,
      as: 'ada',
      page: 'admin/library/author/add/',
      tool: 'add_author',
      input: (path) => ({ name: `Author by ${path}` }),
      check: both(
        saves(
          (path) => library.query('select name from library_author where name = ?', `Author by ${path}`),
          (path) => [{ name: `Author by ${path}` }],
        ),
        reads(/was added successfully/),
      ),
    },
  ];
  runFlows(library, flows);
  assert.ok(flows.length > 0);
});
