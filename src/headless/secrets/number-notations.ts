/** The minimum number of digits. In another notation, shorter numbers would match other numbers. */
const minDigits = 5;
const maxDigits = 40;
const minSignificantDigits = 8;

interface DecimalNumber {
  readonly whole: string;
  readonly fraction: string;
}

/** Patterns of a number: with at most one separator, with digits grouped by commas, and with digits grouped by points. */
const notations = [
  /^\+?0*(\d+)(?:[.,](\d+))?$/,
  /^\+?0*(\d{1,4}(?:,\d{2,4})+)(?:\.(\d+))?$/,
  /^\+?0*(\d{1,4}(?:\.\d{2,4})+)(?:,(\d+))?$/,
];

/**
 * The numbers that a string can mean, without sign, leading zeros and the separators of card and telephone numbers. A single
 * comma or point can separate decimals or group digits, so the result can have two numbers.
 */
function readNumbers(text: string): readonly DecimalNumber[] {
  const plain = text.normalize('NFKC').replace(/[\s'’_-]/g, '');
  return notations.flatMap((notation) => {
    const [matched, whole = '', fraction = ''] = notation.exec(plain) ?? [];
    return matched === undefined ? [] : { whole: whole.replace(/[.,]/g, ''), fraction };
  });
}

/**
 * The notations in which a site can repeat a number: without leading zeros, with grouped digits, with another decimal
 * separator, in hundredths, as the mantissa of an exponential notation, and in hexadecimal.
 */
export const numberNotations = (text: string): readonly string[] => readNumbers(text).flatMap(notationsOf);

function notationsOf({ whole, fraction }: DecimalNumber): readonly string[] {
  const length = whole.length + fraction.length;
  if (length < minDigits || length > maxDigits) return [];
  const [mantissa = '', exponent = ''] = Number(`${whole}.${fraction}`).toExponential().split('e+');
  const hexadecimal = BigInt(whole).toString(16);
  const isLong = mantissa.length > minSignificantDigits;
  return [
    ...grouped(whole, fraction),
    ...(isLong && fraction === '' ? grouped(whole.slice(0, -2), whole.slice(-2)) : []), // an amount in cents
    ...[mantissa, mantissa.replace('.', ',')].flatMap((each) => [
      `${each}e`,
      `${each}e+${exponent.padStart(2, '0')}`,
      ...(isLong ? [each] : []),
    ]),
    hexadecimal.length >= minSignificantDigits ? hexadecimal : `0x${hexadecimal}`,
  ];
}

const grouped = (whole: string, fraction: string): readonly string[] => [
  ...decimals(whole, fraction, ['.', ',']),
  ...separators.flatMap((separator) => {
    const other = separator === ',' ? ['.'] : separator === '.' ? [','] : ['.', ','];
    return groupings.flatMap((places) => decimals(whole.replace(places, separator), fraction, other));
  }),
];

/** The separators in folded text. A no-break space is folded to a space, and the Arabic separator to a comma. */
const separators = [',', '.', ' ', "'", '’', '_'];

/** Groups of three digits, of two digits before the last three (India), and of four digits. */
const groupings = [/\B(?=(?:\d{3})+$)/g, /\B(?=(?:\d{2})*\d{3}$)/g, /\B(?=(?:\d{4})+$)/g];

function decimals(whole: string, fraction: string, points: readonly string[]): readonly string[] {
  const short = fraction.replace(/0+$/, '');
  if (short === '') return [whole];
  return points.flatMap((point) => [fraction, short].map((digits) => whole + point + digits));
}

/**
 * The keys of a JSON number: its magnitude and, if it has many significant digits, these digits, which are the same in
 * cents.
 */
export function numberKeys(value: number): readonly string[] {
  const magnitude = Math.abs(value);
  const digits = magnitude.toExponential().replace(/e.*|\./g, '');
  return [String(magnitude), ...(digits.length >= minSignificantDigits ? [`digits ${digits}`] : [])];
}

/** The keys of a secret, if it is a number. */
export const secretNumberKeys = (text: string): readonly string[] =>
  readNumbers(text).flatMap(({ whole, fraction }) => numberKeys(Number(`${whole}.${fraction}`)));
