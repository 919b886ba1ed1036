/* The agent script: describes the forms of a page, runs their tools, and lists and calls tools for agents. */
export { startForms } from '../browser/forms/start-forms.js';
export { Agent, draftOf, waitFor } from '../polyfill/agent/index.js';
