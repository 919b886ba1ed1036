// The pages of bench/form-factory.mjs: the templates of FormFactory as tools.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { answerScript } from './contestants.mjs';

/** The template and the data of each form. */
export const forms = {
  A11: 'job_applications',
  A12: 'grant_applications',
  A13: 'scholarship_applications',
  A14: 'paper_submissions',
  A15: 'student_courses',
  B11: 'startup_funding_applications',
  B12: 'real_estate_rental_applications',
  B13: 'workshop_registrations',
  B14: 'membership_application',
  C11: 'Art_Exhibition_Submission_Form',
  C12: 'Literary_Magazine_Submission',
  C13: 'Conference_Speaker_Application',
  D11: 'Bug_report',
  D12: 'IT_support',
  E11: 'person_loan_applications',
  E12: 'bank_account_applications',
  E13: 'financial_planning',
  F11: 'Patient_Consent',
  F12: 'Medical_study_Form',
  F13: 'Health_Insurance',
  G11: 'NDA',
  G12: 'Background_check',
  G13: 'Contrator_onboard',
  H11: 'Project_Bid',
  H12: 'Manufacturing_Order',
};

const scripts = createRequire(new URL('../test/', import.meta.url));
const widgets = { cleave: 'cleave.js/dist/cleave.min.js', flatpickr: 'flatpickr/dist/flatpickr.min.js' };

/**
 * Removes Flask's templating, and points the widgets of a page to this server. Other scripts and all style sheets of
 * the page are not loaded.
 */
const plain = (template) =>
  template
    .replace(/\{%[^%]*%\}/g, '')
    .replace(/<(script|link)[^>]*\b(?:src|href)="https:\/\/([^"]*)"[^>]*>/g, (_, tag, url) => {
      const widget = tag === 'script' && Object.keys(widgets).find((name) => url.includes(name));
      return tag === 'link' ? '' : `<script${widget ? ` src="/widgets/${widget}"` : ''}>`;
    });

function page(folder, name, { tag, prefix } = { tag: '', prefix: 'data-' }) {
  const annotation = `${prefix}toolname="form_factory" ${prefix}tooldescription="Sends the form." ${prefix}toolautosubmit`;
  const html = plain(readFileSync(join(folder, 'templates', `${name}.html`), 'utf8'));
  return `<!doctype html>${tag}${html.replace('<form', `<form ${annotation}`)}`;
}

/** The fields that the application sends to the form that a script builds. */
function formConfig(folder) {
  const source = readFileSync(join(folder, 'app.py'), 'utf8');
  const [, dictionary] = /def form_config\(\):.*?response = (\{.*?\n {4}\})/s.exec(source);
  return dictionary
    .replace(/#.*$/gm, '')
    .replaceAll('True', 'true')
    .replaceAll('False', 'false')
    .replaceAll("'", '"')
    .replace(/,(\s*[\]}])/g, '$1');
}

/** Serves each template as a tool in each column, at paths such as `/A11/precise`. */
export async function serve(folder, columns) {
  const server = createServer((request, response) => {
    if (answerScript(request, response)) return;
    const [, first, second] = request.url.split('/');
    const types = { widgets: 'text/javascript', 'form-config': 'application/json' };
    response.setHeader('content-type', `${types[first] ?? 'text/html'}; charset=utf-8`);
    if (first === 'widgets') response.end(readFileSync(scripts.resolve(widgets[second])));
    else if (first === 'form-config') response.end(formConfig(folder));
    else if (forms[first]) response.end(page(folder, first, columns[second]));
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
