import { jsonText } from '../../site/json-record.js';
import type { Format } from './report.js';

/** One object: how much was found, and the findings with the files that they are in. */
export const jsonFormat: Format = function* ({ files, tally }) {
  yield `{\n  "summary": ${JSON.stringify(tally)},\n  "findings": [`;
  let separator = '\n';
  for (const { file, path, findings } of files) {
    for (const finding of findings) {
      yield `${separator}    ${jsonText({ file, path, ...finding })}`;
      separator = ',\n';
    }
  }
  yield separator === '\n' ? ']\n}\n' : '\n  ]\n}\n';
};
