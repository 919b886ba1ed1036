import { manifestOf } from './mcp-shop-manifest.js';

const form = (name: string, controls: string, more = 'toolautosubmit'): string =>
  `<form toolname=${name} tooldescription="Used by the official tests." method=post action=/${name} ${more}>${controls}</form>`;

const text = (name: string): string => `<input name=${name} required>`;

/** A site with the tools that the official tests call, as far as forms can have their behavior. */
export const conformanceManifest = manifestOf(
  [
    form('test_simple_text', ''),
    form('test_error_handling', ''),
    form('test_tool_with_progress', ''),
    form('test_elicitation', text('message') + text('username') + text('email')),
    form('test_input_required_result_elicitation', text('name')),
    form('test_input_required_result_request_state', '<input type=checkbox name=ok required>'),
    form('test_input_required_result_tampered_state', '', ''),
    form('test_input_required_result_multi_round', text('name'), ''),
  ].join(''),
);

const content = 'Results have the text of a site, and no content of another kind.';
const noPrompts = 'The gateway has tools, and no prompts.';
const noResources = 'The gateway has tools, and only the files of calls as resources.';
const noSampling = 'The gateway asks persons, and not models.';
const noTasks = 'An extension, which the gateway does not have.';
const ownQuestions = 'The test requires certain questions. Those of the gateway follow from the form.';

const common = {
  'completion-complete': noPrompts,
  'tools-call-image': content,
  'tools-call-audio': content,
  'tools-call-embedded-resource': content,
  'tools-call-mixed-content': content,
  'resources-read-text': noResources,
  'resources-read-binary': noResources,
  'resources-templates-read': noResources,
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
  'json-schema-2020-12': 'The profile portable has only the keywords that clients accept.',
};

/** The scenarios of each version that do not apply, with the reasons. */
export const notApplicable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-11-25': {
    ...common,
    'logging-set-level': 'The gateway has no messages of the log for clients.',
    'tools-call-with-logging': 'The gateway has no messages of the log for clients.',
    'tools-call-sampling': noSampling,
    'elicitation-sep1034-defaults': 'A parameter with a default is not missing, so nobody is asked for it.',
    'elicitation-sep1330-enums': ownQuestions,
    'resources-subscribe': noResources,
    'resources-unsubscribe': noResources,
    'server-session-lifecycle':
      'Ended sessions restart under the same ID, because clients do not depend on their state.',
  },
  '2026-07-28': {
    ...common,
    'server-stateless': 'Four of its 28 checks require tools that log, stream, or fail without a capability.',
    caching: noResources,
    'input-required-result-basic-elicitation': ownQuestions,
    'input-required-result-basic-sampling': noSampling,
    'input-required-result-basic-list-roots': 'The gateway has no files of the client.',
    'input-required-result-multiple-input-requests': noSampling,
    'input-required-result-non-tool-request': noPrompts,
    'input-required-result-capability-check': noSampling,
    'http-custom-header-server-validation': 'No parameter of a form is sent as a header.',
    'tasks-lifecycle': noTasks,
    'tasks-capability-negotiation': noTasks,
    'tasks-wire-fields': noTasks,
    'tasks-request-state-removal': noTasks,
    'tasks-mrtr-input': noTasks,
    'tasks-request-headers': noTasks,
    'tasks-dispatch-and-envelope': noTasks,
    'tasks-required-task-error': noTasks,
    'tasks-mrtr-composition': noTasks,
  },
};

/** The number of failed checks of each scenario. The other checks pass. */
export const failedChecks: Readonly<Record<string, number>> = {
  'server-stateless': 4,
  caching: 1,
  'server-session-lifecycle': 1,
};
