/** Chrome's guidance for tools: the maximum lengths in characters. https://developer.chrome.com/docs/ai/webmcp */
export const budgets = { name: 30, description: 500, parameter: 150 } as const;
