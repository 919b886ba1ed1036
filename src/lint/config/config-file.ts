/** In its own module, so that the help does not load the linter. */
export const configFile = 'webmcp-forms.config.json';
