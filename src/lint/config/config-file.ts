/** The name of a configuration; the help says it without reading one. */
export const configFile = 'webmcp-forms.config.json';
