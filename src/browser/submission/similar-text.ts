const maxLength = 100_000;
const minContainedDigits = 5;
const minContainedLetters = 4;

/** The letters and digits of a text, without markup, accents and case, with Arabic and Persian digits as ASCII. */
const lettersOf = (text: string): string =>
  text
    .slice(0, maxLength)
    .normalize('NFKD')
    .replace(/<[^<>]*>|&#?\w+;/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .toLowerCase();

/** Whether two texts differ only in white space, case, punctuation, accents or markup. */
export function isSameText(a: string, b: string): boolean {
  const [lettersA, lettersB] = [lettersOf(a), lettersOf(b)];
  return lettersA === lettersB && (lettersA !== '' || a.trim() === b.trim());
}

/** Whether one text is recognizably made of the other: an extended or shortened text, or another format of a date. */
export function isDerivedText(a: string, b: string): boolean {
  const [short, long] = [lettersOf(a), lettersOf(b)].sort((x, y) => x.length - y.length) as [string, string];
  const areDigits = /^\d+$/.test(short + long);
  if (!areDigits)
    return (
      isContained(short, long, minContainedLetters) ||
      (short !== '' && short.length * 2 >= long.length && long.includes(short))
    );
  return isContained(withoutZeros(short), long, minContainedDigits) || isReordered(short, long);
}

const isContained = (short: string, long: string, minLength: number): boolean =>
  short.length >= minLength && long.includes(short);

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Formats of a date differ in the order of its numbers and in leading zeros. */
const isReordered = (a: string, b: string): boolean =>
  b.length >= minContainedDigits && sortedDigits(a) === sortedDigits(b);

const sortedDigits = (digits: string): string => [...digits.replaceAll('0', '')].sort().join('');
