import { type ControlDescription, type FormDescription, hashOf } from 'webmcp-forms/headless';

/**
 * The parts of a form that determine its submission, without its URL, labels, source locations and the values of its page.
 * They include the page's encoding, because a page that is not UTF-8 is requested before each call.
 */
export const pinnedParts = ({
  method,
  enctype,
  acceptCharset,
  encoding,
  noValidate,
  controls,
}: FormDescription): object => ({
  method,
  enctype,
  ...(acceptCharset !== undefined && { acceptCharset }),
  ...(encoding !== undefined && { encoding }),
  ...(noValidate && { noValidate }),
  controls: controls.map(pinnedControl),
});

/** A control without its labels, groups, suggestions, location and fingerprint, and with options without labels. */
const pinnedControl = ({
  words: _,
  groups: __,
  suggestions: ___,
  location: ____,
  fingerprint: _____,
  options,
  ...control
}: ControlDescription) => ({
  ...control,
  ...(options && {
    options: options.map(({ value, disabled, selected, first }) => ({
      value,
      ...(disabled && { disabled }),
      ...(selected && { selected }),
      ...(first && { first }),
    })),
  }),
});

export const formPin = (form: FormDescription): Promise<string> =>
  hashOf({ ...pinnedParts(form), action: form.action, base: form.base ?? null });
