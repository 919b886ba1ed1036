export function withCdnTags(text: string, version: string, hashes: Readonly<Record<string, string>>): string;
