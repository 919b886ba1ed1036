import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { createGateway, type ManifestJson } from '../../gateway/src/index.js';
import { manifestOf, page } from '../support/gateway/webtool-site.js';

const [, order] = manifestOf(page).pages[0]?.tools ?? [];
const { form } = order ?? {};
const [goods] = form?.controls ?? [];

const withForm = (changed: object): ManifestJson => ({
  name: 'shop',
  description: '',
  version: '1.0.0',
  pages: [{ path: 'index.html', tools: [{ ...order, form: { ...form, ...changed } }] }],
});

describe('createGateway, with a manifest that was imported', () => {
  it('accepts a form as the compiler describes it', () => {
    createGateway(withForm({}), { baseUrl: 'https://shop.example/' });
  });

  const damaged: Readonly<Record<string, object>> = {
    'controls that are not a list': { controls: {} },
    'a control whose name is a list': { controls: [{ ...goods, name: [] }] },
    'a control of an unknown type': { controls: [{ ...goods, type: '__proto__' }] },
    'a control without attributes': { controls: [{ ...goods, attributes: undefined }] },
    'an attribute that is a number': { controls: [{ ...goods, attributes: { maxlength: 1 } }] },
    'a control in a group that does not exist': { controls: [{ ...goods, groups: [0] }] },
    'an option without a text': { controls: [{ ...goods, options: [{ value: 'x' }] }] },
    'an unknown method': { method: 'put' },
    'an action that is a number': { action: 1 },
  };
  for (const [name, changed] of Object.entries(damaged)) {
    it(`rejects a form with ${name}, instead of failing at each call`, () => {
      assert.throws(() => createGateway(withForm(changed), { baseUrl: 'https://shop.example/' }), {
        name: 'TypeError',
        message:
          'The manifest is invalid: the form of the tool "order" of the page "index.html" is not a description. Use the output of webmcp-forms compile.',
      });
    });
  }
});
