import type { Parse5Element } from '../../parse5/parse5-tree.js';
import { attributeOf } from './place.js';

/** Why people do not see the content of an element. */
export interface Hiding {
  /** For messages. */
  readonly how: string;
  /**
   * `nobody`: hidden from people and from screen readers. `unseen`: only screen readers read it. `trick`: its only purpose
   * is to hide text.
   */
  readonly kind: 'nobody' | 'unseen' | 'trick';
}

/** The hiding of an element by its own attributes. Style sheets are not considered. */
export function hidingOf(element: Parse5Element): Hiding | undefined {
  if (attributeOf(element, 'hidden') !== undefined) return { how: 'hidden', kind: 'nobody' };
  const style = attributeOf(element, 'style');
  const byStyle = style === undefined ? undefined : hidingOfStyle(style);
  if (byStyle) return byStyle;
  return attributeOf(element, 'aria-hidden')?.trim().toLowerCase() === 'true'
    ? { how: 'aria-hidden', kind: 'unseen' }
    : undefined;
}

const maxStyleLength = 10_000;

function hidingOfStyle(style: string): Hiding | undefined {
  const styles = declarations(style.slice(0, maxStyleLength));
  for (const [name, isHiding, kind] of table) {
    const value = styles.get(name);
    if (value !== undefined && isHiding(value)) return { how: `${name}: ${value.slice(0, 40)}`, kind };
  }
  return boxHiding(styles);
}

interface Length {
  readonly number: number;
  readonly unit: string;
}

function lengthOf(value: string): Length | undefined {
  const [, number, unit = ''] = /^([+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20}))([a-z%]{0,4})$/.exec(value) ?? [];
  return number === undefined ? undefined : { number: Number(number), unit };
}

const pixelUnits = new Set(['', 'px', 'pt']);

/** Whether a length is zero or one pixel. */
function isTiny(value: string): boolean {
  const { number = 9, unit = '' } = lengthOf(value) ?? {};
  return number === 0 || (pixelUnits.has(unit) && Math.abs(number) <= 1);
}

/** Whether a length moves a box out of the page. */
function isFar(value: string): boolean {
  const { number = 0, unit = '' } = lengthOf(value) ?? {};
  return number <= (pixelUnits.has(unit) ? -500 : -90);
}

const matches = (pattern: RegExp) => (value: string) => pattern.test(value);

function isTransparent(value: string): boolean {
  const [, alpha] = /^(?:rgb|hsl)a?\([^)]*[,/]\s*(\d*\.?\d+)%?\s*\)$/.exec(value) ?? [];
  const hasAlpha = value.includes('/') || value.split(',').length === 4;
  if (alpha !== undefined && hasAlpha) return Number(alpha) === 0;
  return /^transparent$|^#[\da-f]{3}0$|^#[\da-f]{6}00$/.test(value);
}

const table: readonly (readonly [name: string, isHiding: (value: string) => boolean, kind: Hiding['kind']])[] = [
  ['display', matches(/^none$/), 'nobody'],
  ['visibility', matches(/^(?:hidden|collapse)$/), 'nobody'],
  ['content-visibility', matches(/^hidden$/), 'nobody'],
  ['font-size', isTiny, 'trick'],
  ['font', matches(/(?:^|\s)0(?:px|pt|em|rem|%)?(?:\/|\s)/), 'trick'],
  ['opacity', (value) => Number.parseFloat(value) <= (value.endsWith('%') ? 5 : 0.05), 'trick'],
  ['color', isTransparent, 'trick'],
  ['text-indent', isFar, 'unseen'],
  ['clip', matches(/^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)$/), 'unseen'],
  ['clip-path', matches(/^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0)/), 'unseen'],
  ['transform', matches(/^scale\(\s*0(?:\.0*)?\s*[,)]/), 'trick'],
];

const sides = ['left', 'right', 'top', 'bottom', 'inset-inline-start', 'margin-left', 'margin-top'];
const sizes = ['width', 'height', 'max-width', 'max-height'];

/** Finds styles that position a box outside the page, or that clip the content of a box without a size. */
function boxHiding(styles: ReadonlyMap<string, string>): Hiding | undefined {
  const find = (names: readonly string[], isHiding: (value: string) => boolean): Hiding | undefined => {
    const name = names.find((each) => isHiding(styles.get(each) ?? ''));
    return name === undefined ? undefined : { how: `${name}: ${styles.get(name)}`, kind: 'unseen' };
  };
  const isPositioned = /^(?:absolute|fixed|relative)$/.test(styles.get('position') ?? '');
  const isCut = /^(?:hidden|clip)$/.test(styles.get('overflow') ?? '');
  return find(isPositioned ? sides : sides.slice(-2), isFar) ?? (isCut ? find(sizes, isTiny) : undefined);
}

/** The declarations of a style attribute, in lower case; the last one of a name wins. */
function declarations(style: string): ReadonlyMap<string, string> {
  const plain = style
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replace(/\\([\da-f]{1,6})[\t\n\f\r ]?|\\(.)/gi, (_, hex: string | undefined, character: string) =>
      hex === undefined ? character : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
    )
    .toLowerCase();
  const found = new Map<string, string>();
  for (const declaration of plain.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const value = declaration.slice(colon + 1).replace(/!\s*important\s*$/, '');
    found.set(declaration.slice(0, colon).trim(), value.trim());
  }
  return found;
}
