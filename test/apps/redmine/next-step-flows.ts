import assert from 'node:assert/strict';
import { saves, type Flow, type FlowContext } from '../flows.js';
import { textOf, type Told } from '../told.js';
import { gatewayPaths, ofPath, pageOf, toolOfIssue } from './issue-flows.js';
import type { Redmine } from './redmine.js';

interface NextForm {
  readonly form: string;
  readonly title: string;
  readonly requestSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

const formsOf = (told: Told): readonly NextForm[] =>
  (told.value as { readonly forms?: readonly NextForm[] } | undefined)?.forms ?? [];

/** Submits the form of an answer with the title, and returns the next answer. */
async function submitNext({ session }: FlowContext, told: Told, title: string, input: object): Promise<Told> {
  const offered = formsOf(told).find((each) => each.title === title);
  assert.ok(offered && session, `No form ${JSON.stringify(title)} in ${textOf(told)}`);
  for (const name of Object.keys(input)) assert.ok(name in offered.requestSchema.properties, textOf(told));
  const next = await session.call('continue', { form: offered.form, input });
  assert.equal(next.error, undefined, textOf(next));
  return next;
}

const rows = [
  ['Title', 'Text'],
  ['Imported', 'Café, from a file'],
];
const csv = rows.map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\n');

/** Flows whose further steps have URLs and forms that no manifest can have. */
export const nextStepFlows = ({ query }: Redmine): readonly Flow[] => [
  {
    name: 'A CSV file is imported in four steps, with the separators and columns that the agent chooses',
    paths: gatewayPaths,
    as: 'grace',
    page: 'issues/imports/new?project_id=trains',
    tool: 'import_issues',
    input: () => ({
      file: { name: 'issues.csv', mediaType: 'text/csv', content: Buffer.from(`${csv}\n`).toString('base64') },
    }),
    async check(told, context) {
      const title = 'Import issues';
      const columns = await submitNext(context, told, `${title}: Next »`, { 'import_settings.separator': ';' });
      const progress = await submitNext(context, columns, `${title}: Import`, {
        'import_settings.mapping.tracker': 'value:1',
        'import_settings.mapping.subject': '0',
        'import_settings.mapping.description': '1',
      });
      const result = await submitNext(context, progress, `${title}: Import`, {});
      assert.match(textOf(result), /1 items? ha(?:ve|s) been imported/);
      const saved = await query(`
        select i.subject, i.description, u.login from issues i join users u on u.id = i.author_id
        join import_items item on item.obj_id = i.id join imports m on m.id = item.import_id
        where m.id = (select max(id) from imports)`);
      assert.deepEqual(saved, [{ subject: 'Imported', description: 'Café, from a file', login: 'grace' }]);
    },
  },
  {
    name: 'An issue with hours is deleted by the answer to the question of the page, and its hours stay',
    paths: gatewayPaths,
    as: 'grace',
    page: pageOf(ofPath('To delete with hours')),
    tool: toolOfIssue('delete_issue', ofPath('To delete with hours')),
    input: () => ({}),
    async check(told, context) {
      const subject = `To delete with hours by ${context.path}`;
      const result = await submitNext(context, told, 'Confirmation: Apply', { todo: 'nullify' });
      assert.match(textOf(result), /Successful deletion/);
      await saves(
        () =>
          query(`
            select (select count(*) from issues where subject = '${subject}') as issues,
            (select count(*) from time_entries where issue_id is null and comments = '${subject}') as hours`),
        () => [{ issues: 0, hours: 1 }],
      )(result, context);
    },
  },
];
