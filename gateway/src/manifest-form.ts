import { controlTypes, isRecord, type JsonRecord } from 'webmcp-forms/headless';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTextOrNull: Check = (value) => value === null || isText(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const among =
  (...texts: readonly string[]): Check =>
  (value) =>
    texts.includes(value as string);
const recordOf =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);
const withMembers =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const isWords = listOf(withMembers({ source: isText, text: isText, visible: optional(isText) }));

const isOption = withMembers({
  value: isText,
  text: isText,
  ...Object.fromEntries(['label', 'group', 'description'].map((name) => [name, optional(isText)])),
});

const isControl = withMembers({
  element: isText,
  type: among(...controlTypes),
  name: isText,
  attributes: recordOf(isText),
  words: isWords,
  groups: listOf(Number.isInteger),
  options: optional(listOf(isOption)),
  suggestions: optional(listOf(isText)),
  defaultText: optional(isText),
  fingerprint: optional(isText),
});

const hasMembers = withMembers({
  method: among('get', 'post', 'dialog'),
  action: isTextOrNull,
  enctype: among('application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'),
  groups: listOf(withMembers({ element: isText, words: isWords })),
  controls: listOf(isControl),
  ...Object.fromEntries(['acceptCharset', 'encoding', 'target', 'base'].map((name) => [name, optional(isText)])),
});

/** Whether the form of a manifest's tool has the members that calls read, with their types. */
export const isManifestForm: Check = (form) => hasMembers(form) && hasGroups(form as JsonRecord);

/** Whether the groups of all controls exist. */
const hasGroups = ({ groups, controls }: JsonRecord): boolean =>
  (controls as readonly { readonly groups: readonly number[] }[]).every((control) =>
    control.groups.every((index) => index >= 0 && index < (groups as readonly unknown[]).length),
  );
