import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { hasPasswordInput } from '../../../src/site/tools/password-input.js';

describe('hasPasswordInput', () => {
  for (const html of [
    '<input type=password>',
    '<INPUT name="pw"\n  TYPE = "password" required>',
    "<input id=a class='b c' type='password'/>",
    '<input <input type=password>',
  ]) {
    it(`finds the password input of ${html}`, () => assert.ok(hasPasswordInput(html)));
  }

  for (const html of ['<input type=text name=password>', '<p>type=password</p>', '<input name=a> type=password']) {
    it(`finds no password input in ${html}`, () => assert.ok(!hasPasswordInput(html)));
  }
});
