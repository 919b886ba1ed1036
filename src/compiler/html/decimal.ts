/** A finite number in decimal: `digits * 10 ** exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function toScale(values: readonly number[]): { readonly integers: readonly bigint[]; readonly exponent: number } {
  const decimals = values.map(toDecimal);
  const exponent = Math.min(...decimals.map((each) => each.exponent));
  return { integers: decimals.map((each) => each.digits * 10n ** BigInt(each.exponent - exponent)), exponent };
}

/** Whether `value - base` is an integer multiple of `step`, in decimal: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, step: number, base = 0): boolean {
  if ([value, base, step, value - base].every(Number.isSafeInteger)) return (value - base) % step === 0;
  const [scaled = 0n, unit = 1n, origin = 0n] = toScale([value, step, base]).integers;
  return (scaled - origin) % unit === 0n;
}

/**
 * Whether `value - base` is nearly an integer multiple of `step`. Deviates from the spec: like Chromium, ignores
 * differences of up to `step / 2 ** 24`, so that the sum of 0.1 and 0.2 is a multiple of 0.1. A value that is more than
 * `2 ** 53` steps from the base always counts as a multiple.
 * https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/html/forms/step_range.cc
 */
export function isNearMultiple(value: number, step: number, base: number): boolean {
  const [scaled = 0n, unit = 1n, origin = 0n] = toScale([value, step, base]).integers;
  const distance = scaled < origin ? origin - scaled : scaled - origin;
  const rest = distance % unit;
  const error = rest < unit - rest ? rest : unit - rest;
  return error * 2n ** 24n <= unit || distance > unit * 2n ** 53n;
}

/** The greatest common divisor, in decimal: 0.1 for 1 and 0.3. */
export function commonDivisor(first: number, second: number): number {
  const { integers, exponent } = toScale([first, second]);
  let [divisor = 0n, rest = 0n] = integers;
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return Math.abs(Number(`${divisor}e${exponent}`));
}

/**
 * The numbers `base + k * step` from `minimum` to `maximum`, in decimal and ascending; undefined if there are more than
 * `limit`.
 */
export function steppedValues(
  { minimum, maximum, step, base }: { minimum: number; maximum: number; step: number; base: number },
  limit: number,
): readonly number[] | undefined {
  const { integers, exponent } = toScale([minimum, maximum, step, base]);
  const [low = 0n, high = 0n, unit = 1n, origin = 0n] = integers;
  const first = low + ((((origin - low) % unit) + unit) % unit);
  if ((high - first) / unit >= BigInt(limit)) return undefined;
  const values: number[] = [];
  for (let value = first; value <= high; value += unit) values.push(Number(`${value}e${exponent}`));
  return values;
}
