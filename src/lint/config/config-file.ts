/** The name of configurations, in a module that the help loads. */
export const configFile = 'webmcp-forms.config.json';
