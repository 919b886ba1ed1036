import type { ProfileName, ToolDefinition } from '../src/compiler/index.js';

export interface GoldenPair {
  readonly group: string;
  readonly note?: string;
  readonly flags?: string;
  readonly html: string;
  readonly page: string;
  readonly tools: readonly ToolDefinition[];
}

export interface Case {
  readonly name: string;
  readonly page: string;
  readonly expected: Readonly<Record<ProfileName, readonly ToolDefinition[]>>;
}

export interface PublishedPage {
  readonly name: string;
  readonly page: string;
}

export interface Corpus {
  readonly golden: readonly GoldenPair[];
  readonly cases: readonly Case[];
  readonly published: readonly PublishedPage[];
}

export function corpus(): Corpus;
