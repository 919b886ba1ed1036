import { printableJson } from '../../site/printable.js';
import type { Format } from './report.js';

/** One object with a summary and the findings, one per line. */
export const jsonFormat: Format = function* ({ files, tally }) {
  yield `{\n  "summary": ${JSON.stringify(tally)},\n  "findings": [`;
  let separator = '\n';
  for (const { file, path, findings } of files) {
    for (const finding of findings) {
      yield `${separator}    ${printableJson({ file, path, ...finding })}`;
      separator = ',\n';
    }
  }
  yield separator === '\n' ? ']\n}\n' : '\n  ]\n}\n';
};
