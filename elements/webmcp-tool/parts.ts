import { answerOf } from './failure.js';
import type { FormTool } from './form-tool.js';
import { loadOnce, type MakePart } from './late.js';
import { ToolRegistration } from './tool-registration.js';
import type { WebtoolTools } from './webtool.js';

/** Loads what looks after a form. */
export const loadForm = loadOnce(async (): Promise<MakePart<FormTool>> => {
  const { FormTool } = await import('./form-tool.js');
  return (element, problems) => new FormTool(element, problems);
});

/** Loads what looks after a webtool, and the client at the same time. */
export const loadWebtool = loadOnce(async (): Promise<MakePart<WebtoolTools>> => {
  const [{ WebtoolTools }, client] = await Promise.all([
    import('./webtool.js'),
    import('../../src/webtool-client/index.js'),
  ]);
  return (element, problems) => new WebtoolTools(element, problems, { client, ToolRegistration, answerOf });
});
