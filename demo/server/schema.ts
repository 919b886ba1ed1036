export const schema = `
CREATE TABLE IF NOT EXISTS dishes (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, course TEXT NOT NULL, price INTEGER NOT NULL,
  ingredients TEXT NOT NULL, diets TEXT NOT NULL, sold_out INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS bookings (
  code TEXT PRIMARY KEY, visitor TEXT NOT NULL, date TEXT NOT NULL, time TEXT NOT NULL, guests INTEGER NOT NULL,
  area TEXT NOT NULL, needs TEXT NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL,
  occasion TEXT NOT NULL, notes TEXT NOT NULL, state TEXT NOT NULL, made TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS booked_once ON bookings (visitor, date, time, email) WHERE state = 'booked';
CREATE INDEX IF NOT EXISTS bookings_of_day ON bookings (date, time);
CREATE TABLE IF NOT EXISTS orders (
  code TEXT PRIMARY KEY, once TEXT NOT NULL, visitor TEXT NOT NULL, dish TEXT NOT NULL REFERENCES dishes (id),
  quantity INTEGER NOT NULL, extras TEXT NOT NULL, method TEXT NOT NULL, address TEXT NOT NULL, date TEXT NOT NULL,
  time TEXT NOT NULL, name TEXT NOT NULL, phone TEXT NOT NULL, note TEXT NOT NULL, total INTEGER NOT NULL,
  made TEXT NOT NULL, UNIQUE (visitor, once)
);
CREATE TABLE IF NOT EXISTS cards (
  code TEXT PRIMARY KEY REFERENCES orders (code), name TEXT NOT NULL, type TEXT NOT NULL, bytes BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS subscribers (
  email TEXT PRIMARY KEY, frequency TEXT NOT NULL, made TEXT NOT NULL, visitor TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS requests (
  code TEXT PRIMARY KEY, kind TEXT NOT NULL, visitor TEXT NOT NULL, details TEXT NOT NULL, made TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS ratings (
  visitor TEXT NOT NULL, dish TEXT NOT NULL REFERENCES dishes (id), stars INTEGER NOT NULL, comment TEXT NOT NULL,
  PRIMARY KEY (visitor, dish)
);
`;
