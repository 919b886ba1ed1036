import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { searchPattern, WorkBudget } from '../../src/headless/constraints/pattern.ts';
import { resultOf } from './result.mjs';

export const suite = {
  name: 'JSON Schema Test Suite, `pattern`',
  folder: 'JSON-Schema-Test-Suite/tests/draft2020-12',
  source: 'https://github.com/json-schema-org/JSON-Schema-Test-Suite',
  subject: 'the matcher of patterns without a browser',
  run,
};

const files = ['pattern.json', 'optional/ecmascript-regex.json', 'optional/non-bmp-regex.json'];

function run(folder) {
  return files
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
    .flatMap(({ description, schema: { pattern }, tests }) =>
      tests
        .filter(({ data }) => pattern !== undefined && typeof data === 'string')
        .map((test) => check(description, pattern, test)),
    );
}

function check(group, pattern, { description, data, valid }) {
  const found = searchPattern(pattern, data, new WorkBudget());
  const isPassed = found === (valid ? 'match' : 'mismatch');
  return resultOf(`${group}: ${description}`, isPassed, { details: `${pattern}, ${JSON.stringify(data)}: ${found}` });
}
