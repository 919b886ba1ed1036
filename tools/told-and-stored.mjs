// Prints the results that agents received beside the data that the applications stored: node tools/told-and-stored.mjs REPORT
// APPS_REPORT=REPORT npm run test:apps writes the report.
import { readFileSync } from 'node:fs';

const columns = ['application', 'flow', 'channel', 'told', 'stored'];
const maxLength = 120;

const shorten = (text) => {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
};

const json = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** The messages of a result, or else its text, or else the whole result. */
function describeValue(value) {
  const { errors, messages, text } = value ?? {};
  return json([errors, messages].find((each) => each?.length > 0) ?? text ?? value);
}

function describeTold({ value, error, page }) {
  if (error) return `${error.code ?? 'error'}: ${error.message}`;
  if (value !== undefined && value !== null) return describeValue(value);
  return page ? `page ${new URL(page.url).pathname}: ${page.text}` : 'null';
}

const rowOf = ({ application, flow, path, told, stored }) =>
  [application, flow, path, describeTold(told), stored === undefined ? 'not read' : json(stored)].map(shorten);

const printRow = (cells) => console.log(`| ${cells.join(' | ')} |`);

const [file] = process.argv.slice(2);
if (!file) {
  console.error('The report is missing. Write it with APPS_REPORT=FILE npm run test:apps, and pass the file.');
  process.exitCode = 2;
} else {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  printRow(columns);
  printRow(columns.map(() => '---'));
  for (const line of lines) printRow(rowOf(JSON.parse(line)));
}
