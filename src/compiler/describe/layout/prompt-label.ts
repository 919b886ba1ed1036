import type { ControlDescription } from '../../description.js';
import { collapseWhitespace, stripEnds } from '../../html/text.js';
import { namingText } from '../../parameters/description-text.js';
import { takesValue } from '../../parameters/parameters.js';
import type { NearbyLabel, NearbyOrigin } from './nearby-labels.js';

/** The attributes from which scripts show a placeholder. */
const promptAttributes = ['data-placeholder', 'data-prompt', 'data-label', 'data-watermark'];
const textTypes = /^(?:text|search|email|tel|url|textarea)$/;
/** Scripts and class names of fields whose value is their label until they are focused. */
const clearingScript = /value|clear|reset|label|default|placeholder|hint/i;
const clearedClass = /default|placeholder|watermark|hint|label|fading/i;
/** Values that ask for input. */
const promptText = /^(?:enter|type|search|your|what|please|введите|поиск)\s.{3}/iu;
const maxLength = 60;
const maxRead = 1000;

/**
 * The label in a control: the prompt of a select, or the value that a text field loses when it is focused.
 *
 * @param read - reads an attribute of the control
 */
export function promptLabel(
  control: ControlDescription,
  read: (name: string) => string | null,
): NearbyLabel | undefined {
  if (control.type === 'select-one') return selectPrompt(control);
  if (!textTypes.test(control.type)) return undefined;
  const attribute = (name: string): string => (read(name) ?? '').slice(0, maxRead);
  const prompt = promptAttributes.map(attribute).find(Boolean);
  if (prompt) return labelOf(prompt, 'value');
  const value = control.attributes.value ?? control.defaultText ?? '';
  const isCleared =
    promptText.test(value) ||
    ['onfocus', 'onclick', 'onblur'].some((name) => clearingScript.test(attribute(name))) ||
    clearedClass.test(attribute('class')) ||
    (control.type === 'email' && !value.includes('@'));
  return isCleared ? labelOf(value, 'value') : undefined;
}

/** The option that no person chooses, or the only group of options. */
function selectPrompt({ options = [] }: ControlDescription): NearbyLabel | undefined {
  const [first] = options;
  const [group, ...otherGroups] = new Set(options.map((option) => option.group));
  if (group && otherGroups.length === 0) return labelOf(group, 'option');
  const isPrompt = first && (first.value === '' || first.disabled || /^(?:0|-1|-+)$/.test(first.value));
  return isPrompt ? labelOf(first.label ?? first.text, 'option') : undefined;
}

/** The names of the fields for a search. */
const searchName =
  /search|such(?:e|en)$|recherche|(?:^|[^a-z])(?:q|s|query|keywords?|kw|terms?|busca|buscar|cerca|zoek|szukaj)(?:$|[^a-z])/i;

/** The label of the only button of a form, which is also that of its only field if that is for a search. */
export function buttonLabel(all: readonly ControlDescription[]): NearbyLabel | undefined {
  const [field, ...others] = all.filter((each) => takesValue(each) && !/^(?:checkbox|radio)$/.test(each.type));
  const [button, ...otherButtons] = all.filter((each) => each.type === 'submit' || each.type === 'image');
  if (!field || others.length > 0 || !button || otherButtons.length > 0) return undefined;
  const isSearch = field.type === 'search' || (field.type === 'text' && searchName.test(field.name.slice(0, maxRead)));
  return isSearch ? labelOf(namingText(button.words) || (button.attributes.value ?? ''), 'button') : undefined;
}

/** Texts that say nothing about the value. */
const generic =
  /^(?:(?:please |bitte )?(?:select|choose|(?:aus)?w[aä]hlen|choisi\S*|s?elija|seleccion\S*|выберите)(?: one| an? option| please)?|all|any|todos|todas|tous|alle|ok|go|submit|send)$/iu;

function labelOf(text: string, origin: NearbyOrigin): NearbyLabel | undefined {
  const label = stripEnds(collapseWhitespace(text.slice(0, maxRead)), /[\s:*\-–—.…=<>«»|]/);
  const isLabel = /\p{L}{2}|\p{Lo}/u.test(label) && label.length <= maxLength && !generic.test(label);
  return isLabel ? { text: label, origin } : undefined;
}

const example = /^(?:[^\p{L}]+|.*@.*\..*|e\.?\s?g\b.*|for example.*|\d.*|[dmy]{1,4}[\W\d].*)$/iu;
/** Whether a placeholder is an example of a value, and not the name of the control. */
export const isExample = (text: string): boolean => example.test(text.trim().slice(0, 200));
