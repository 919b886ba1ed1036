/** The Markdown files outside `docs/` that are pages of the site. `page` is relative to `docs/generated/`. */
export const projectPages: readonly { readonly source: string; readonly page: string }[] = [
  { source: 'README.md', page: 'project/readme.md' },
  { source: 'ARCHITECTURE.md', page: 'project/architecture.md' },
  { source: 'CONTRIBUTING.md', page: 'project/contributing.md' },
  { source: 'SECURITY.md', page: 'project/security.md' },
  { source: 'CHANGELOG.md', page: 'project/changelog.md' },
  { source: 'skills/webmcp/SKILL.md', page: 'project/skill.md' },
  { source: 'demo/gateway/README.md', page: 'project/gateway-examples.md' },
];
