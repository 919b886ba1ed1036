import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { formState } from '../../src/compiler/input/form-state.ts';
import { formRequest } from '../../src/headless/form-request.ts';
import { parsePage } from '../../src/parse5/parse5-tree.ts';
import { descriptionsOf } from '../../test/support/readings.ts';
import { resultOf } from './result.mjs';

export const suite = {
  name: 'WPT, `html/semantics/forms/form-submission-0`',
  folder: 'wpt/html/semantics/forms/form-submission-0',
  source: 'https://github.com/web-platform-tests/wpt',
  subject: 'the bodies of requests without a browser',
  run,
};

const files = ['urlencoded2.window.js', 'multipart-formdata.window.js', 'text-plain.window.js'];

function run(folder) {
  return files.flatMap((file) => testsOf(readFileSync(join(folder, file), 'utf8')).map(check));
}

class StandInFile {
  constructor(parts, name, { type = '' } = {}) {
    Object.assign(this, { content: parts.join(''), name, type });
  }
}

/** The calls of the function `formTest` of a file of the suite. Its script runs without access to this process. */
function testsOf(script) {
  const tests = [];
  const formSubmissionTemplate =
    (enctype, bodyOf = (expected) => expected) =>
    (test) =>
      tests.push({ ...test, enctype, bodyOf });
  runInNewContext(script, { formSubmissionTemplate, File: StandInFile });
  return tests;
}

function check({ name, value, expected, formEncoding = 'utf-8', description, enctype, bodyOf }) {
  const body = bodyOfForm({ name, value, formEncoding, enctype });
  const wanted = bodyOf(expected, body);
  return resultOf(`${enctype}: ${description}`, body === wanted, {
    details: `${JSON.stringify(body)} instead of ${JSON.stringify(wanted)}`,
  });
}

/**
 * The body of a form with one control. Markup cannot contain every name and value, so they are set in the description
 * of the form.
 */
function bodyOfForm({ name, value, formEncoding, enctype }) {
  const isFile = value instanceof StandInFile;
  const control = `<input type=${isFile ? 'file' : 'hidden'} name=n>`;
  const html = `<form method=post action=/ enctype="${enctype}" accept-charset="${formEncoding}">${control}</form>`;
  const { document, tree } = parsePage(html);
  const [described] = descriptionsOf(tree, document);
  const form = { ...described, controls: described.controls.map((each) => ({ ...each, name })) };
  const set = isFile ? { set: 'files', files: [fileOf(value)] } : { set: 'value', value };
  const filled = { form, states: formState(form, [{ control: 0, ...set }]), set: new Set([0]), submitter: undefined };
  const { content } = formRequest(filled, { pageUrl: 'https://site.example/' });
  return Buffer.from(content.body).toString('latin1');
}

const fileOf = ({ name, type, content }) => ({ name, mediaType: type, content: btoa(content) });
