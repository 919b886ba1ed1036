import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import {
  parseNumber,
  parseTemporal,
  serializeNumber,
  serializeTemporal,
  temporalSteps,
  type TemporalType,
} from '../../../src/compiler/html/microsyntaxes.js';

const DAY = 86_400_000;
const pad = (number: number, width = 2): string => String(number).padStart(width, '0');

const parsesAs = (type: TemporalType, cases: Readonly<Record<string, number>>): void => {
  for (const [text, number] of Object.entries(cases)) assert.equal(parseTemporal(type, text), number, text);
};

const rejects = (type: TemporalType, texts: readonly string[]): void => {
  for (const text of texts) assert.equal(parseTemporal(type, text), undefined, JSON.stringify(text));
};

const serializesBack = (type: TemporalType, texts: readonly string[]): void => {
  for (const text of texts) assert.equal(serializeTemporal(type, parseTemporal(type, text) ?? NaN), text);
};

const isLeap = (year: number): boolean => new Date(Date.UTC(year + 400, 1, 29)).getUTCMonth() === 1;

test('parseNumber parses valid floating-point numbers', () => {
  const cases = { '0': 0, '5': 5, '-5': -5, '007': 7, '5.5': 5.5, '.5': 0.5, '-.5': -0.5, '1e3': 1000, '1E+3': 1000 };
  for (const [text, number] of Object.entries(cases)) assert.equal(parseNumber(text), number, text);
  assert.equal(parseNumber('.5e-1'), 0.05);
  assert.equal(parseNumber('1e-400'), 0);
});

test('minus zero is parsed and serialized as zero', () => {
  assert.ok(Object.is(parseNumber('-0'), 0));
  assert.ok(Object.is(parseNumber('-1e-400'), 0));
  assert.equal(serializeNumber(-0), '0');
});

test('parseNumber returns undefined for text that is not a valid floating-point number', () => {
  const texts = ['', ' ', '5.', '+5', ' 5', '5 ', '5\n', '1e400', '-1e400', '-', '.', 'e5', '1e', '1e+', '1.e1', '--1'];
  for (const text of [...texts, '0x10', '1_0', '1,5', 'Infinity', 'NaN', '٥', '1e5.0', '5px']) {
    assert.equal(parseNumber(text), undefined, JSON.stringify(text));
  }
});

test('every finite number is unchanged by serializing and parsing', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      assert.equal(parseNumber(serializeNumber(number)), number + 0);
    }),
  );
});

test('parseTemporal parses dates to milliseconds', () => {
  parsesAs('date', {
    '1970-01-01': 0,
    '1970-01-02': DAY,
    '1969-12-31': -DAY,
    '0001-01-01': -62_135_596_800_000,
    '2024-02-29': 1_709_164_800_000,
    '002024-02-29': 1_709_164_800_000,
    '275760-09-13': 8_640_000_000_000_000,
  });
});

test('parseTemporal returns undefined for dates that do not exist or have another format', () => {
  rejects('date', ['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-10', '2024-01-00', '2024-04-31', '0000-01-01']);
  rejects('date', [
    '',
    '2024-1-1',
    '24-01-01',
    '-2024-01-01',
    '+002024-01-01',
    '2024-01-01 ',
    '2024-01-01\n',
    '2024-01',
  ]);
  rejects('date', ['275760-09-14', '275761-01-01', '9'.repeat(400) + '-01-01', '20240101', '٢٠٢٤-01-01']);
});

test('parseTemporal parses every day of many years in order, but no other day', () => {
  for (const year of [1, 4, 99, 100, 400, 1900, 1996, 1997, 1998, 1999, 2000, 2001, 2002, 2003, 2004, 9999, 10_000]) {
    const lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let expected = parseTemporal('date', `${pad(year, 4)}-01-01`) ?? NaN;
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
        const exists = day >= 1 && day <= (lengths[month - 1] ?? 0);
        assert.equal(parseTemporal('date', text), exists ? expected : undefined, text);
        if (!exists) continue;
        assert.equal(serializeTemporal('date', expected), text);
        expected += DAY;
      }
    }
  }
});

test('parseTemporal parses months to months since 1970', () => {
  parsesAs('month', { '1970-01': 0, '1969-12': -1, '0001-01': -23_628, '9999-12': 96_359, '2024-02': 649 });
  rejects('month', ['', '2024-00', '2024-13', '0000-01', '2024', '2024-1', '2024-01-01', '275760-10', '2024-01\n']);
  serializesBack('month', ['0001-01', '0099-12', '1969-12', '1970-01', '2024-02', '9999-12', '10000-01', '275760-09']);
});

test('parseTemporal parses every week of 400 years to seven days after the previous week, but no other week', () => {
  // 1601-01-01 was a Monday; a week belongs to the year of its Thursday.
  let monday = Date.UTC(1601, 0, 1);
  for (let year = 1601; year <= 2001; year++) {
    rejects('week', [`${year}-W00`]);
    let week = 1;
    for (; new Date(monday + 3 * DAY).getUTCFullYear() === year; week++, monday += 7 * DAY) {
      parsesAs('week', { [`${year}-W${pad(week)}`]: monday });
      serializesBack('week', [`${year}-W${pad(week)}`]);
    }
    rejects('week', [`${year}-W${week}`, `${year}-W54`]);
  }
});

test('parseTemporal returns undefined for weeks that do not exist or have another format', () => {
  rejects('week', [
    '',
    '2024',
    '2024-W',
    '2024-W1',
    '2024-w01',
    '2024W01',
    '0000-W52',
    '2024-W99',
    '2020-W54',
    '2021-W53',
  ]);
  rejects('week', ['2024-W01-1', '2024-W01\n', '275760-W38', '275761-W01']);
  serializesBack('week', ['0001-W01', '2020-W53', '9999-W52', '10000-W01', '275760-W37']);
  assert.equal(serializeTemporal('week', Date.UTC(2021, 0, 3)), '2020-W53');
});

test('parseTemporal parses times to milliseconds since midnight', () => {
  parsesAs('time', {
    '00:00': 0,
    '00:01': 60_000,
    '23:59': 86_340_000,
    '23:59:59.999': DAY - 1,
    '10:00:00.000': 36_000_000,
  });
  parsesAs('time', { '00:00:01': 1000, '00:00:01.5': 1500, '00:00:01.05': 1050, '00:00:01.001': 1001 });
  rejects('time', [
    '',
    '24:00',
    '12:60',
    '12:00:60',
    '1:00',
    '12:0',
    '12',
    '12:00:',
    '12:00:0',
    '12:00:00.',
    '12:00:00.0000',
  ]);
  rejects('time', ['12:00Z', ' 12:00', '12:00 ', '12:00\n', '12:00:00,5', '-1:00', '12.00', '12:00.5']);
});

test('parseTemporal parses every fraction of a second exactly', () => {
  for (let milliseconds = 0; milliseconds < 1000; milliseconds++) {
    parsesAs('time', { [`12:34:56.${pad(milliseconds, 3)}`]: 45_296_000 + milliseconds });
  }
});

test('serializeTemporal returns the shortest string of a time', () => {
  const cases = {
    0: '00:00',
    1: '00:00:00.001',
    10: '00:00:00.01',
    500: '00:00:00.5',
    1000: '00:00:01',
    10_000: '00:00:10',
  };
  for (const [number, text] of Object.entries(cases)) assert.equal(serializeTemporal('time', Number(number)), text);
  serializesBack('time', ['10:00', '10:20', '00:00:30', '10:00:00.1', '10:00:00.12', '10:10:10.101', '23:59:59.999']);
});

test('parseTemporal accepts T or one space in local dates and times', () => {
  parsesAs('datetime-local', {
    '1970-01-01T00:00': 0,
    '1970-01-01 00:01': 60_000,
    '2024-02-29T12:30:15.25': 1_709_209_815_250,
    '275760-09-13T00:00': 8_640_000_000_000_000,
  });
  rejects('datetime-local', [
    '',
    'T',
    '2024-01-01',
    '12:00',
    '2024-01-01T',
    'T12:00',
    '2024-01-01  12:00',
    '2024-01-01t12:00',
  ]);
  rejects('datetime-local', ['2024-01-01T12:00Z', '2024-01-01T12:00T12:00', '2024-01-01T24:00', '2023-02-29T12:00']);
  rejects('datetime-local', ['2024-01-01T T12:00', '275760-09-13T00:01', '0000-12-31T12:00', '2024-01-0112:00']);
});

test('serializeTemporal returns the shortest string of a local date and time, with T', () => {
  const serialized = (text: string): string =>
    serializeTemporal('datetime-local', parseTemporal('datetime-local', text) ?? NaN);
  assert.equal(serialized('2024-01-01 12:00:00.000'), '2024-01-01T12:00');
  assert.equal(serialized('2024-01-01 12:00:30.00'), '2024-01-01T12:00:30');
  assert.equal(serialized('2024-01-01T12:00:00.010'), '2024-01-01T12:00:00.01');
  serializesBack('datetime-local', ['0001-01-01T00:00', '10000-01-01T00:00', '275760-09-13T00:00']);
});

test('every number in range is unchanged by serializing and parsing', () => {
  const units = { date: DAY, month: 1, week: 7 * DAY, time: 1, 'datetime-local': 1 } as const;
  const ranges = { date: 1e8, month: 3_285_488, week: 14_285_714, time: DAY - 1, 'datetime-local': 8.64e15 } as const;
  const bottoms = {
    date: -719_162,
    month: -23_628,
    week: -102_737,
    time: 0,
    'datetime-local': -719_162 * DAY,
  } as const;
  for (const type of ['date', 'month', 'week', 'time', 'datetime-local'] as const) {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (seed) => {
        const span = ranges[type] - bottoms[type];
        const number = (bottoms[type] + (Math.abs(seed) % span)) * units[type] + temporalSteps[type].defaultStepBase;
        assert.equal(parseTemporal(type, serializeTemporal(type, number)), number);
      }),
    );
  }
});

test('the default step times its scale factor is a day, a month, a week or a minute', () => {
  const defaults = Object.entries(temporalSteps).map(([type, facts]) => [
    type,
    facts.defaultStep * facts.stepScaleFactor,
  ]);
  assert.deepEqual(Object.fromEntries(defaults), {
    date: DAY,
    month: 1,
    week: 7 * DAY,
    time: 60_000,
    'datetime-local': 60_000,
  });
  assert.equal(parseTemporal('week', '1970-W01'), temporalSteps.week.defaultStepBase);
});
