/** The JSON Schema of what a form submission returns. */
export const responseSchema = {
  type: 'object',
  properties: {
    status: { type: 'integer', description: 'HTTP status of the site: from 400 on it did not do what was asked.' },
    url: { type: 'string', description: 'Where the answer comes from, after all redirects.' },
    contentType: { type: 'string' },
    json: { description: 'The answer, where it is JSON.' },
    jsonLd: { type: 'array', items: {}, description: 'The JSON-LD of the page.' },
    text: { type: 'string', description: 'The visible text of the main part of the page.' },
  },
  required: ['status', 'url', 'contentType'],
} as const;
