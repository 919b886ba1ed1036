import { type ControlDescription, type FormDescription, hashOf } from 'webmcp-forms/headless';

/**
 * The parts of a form that determine its submission, without its URL, labels, source locations and the values of its page.
 * The encoding of the page is one of them, because the page is requested before each call if it is not UTF-8.
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

/** Names and order of the controls are those of the entry list. */
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
