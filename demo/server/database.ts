import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { dishes } from './dishes.js';
import { schema } from './schema.js';

type Value = string | number | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

/** An open SQLite file. Each call prepares and finalizes its statement. */
export interface Store {
  all<Kind = Row>(sql: string, ...values: readonly Value[]): Kind[];
  one<Kind = Row>(sql: string, ...values: readonly Value[]): Kind | undefined;
  run(sql: string, ...values: readonly Value[]): number;
  atomically<Result>(steps: () => Result): Result;
  close(): void;
}

const staleAfter = 60_000;

/** A killed process leaves its lock. A lock that is older than a minute is stale. */
function removeStaleLock(path: string): void {
  const lock = `${path}.lock`;
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (since !== undefined && since < Date.now() - staleAfter) rmdirSync(lock);
}

function atomically<Result>(database: sqlite.Database, steps: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = steps();
    database.exec('COMMIT');
    return result;
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK');
  }
}

function prepare(store: Store, database: sqlite.Database): Store {
  database.exec('PRAGMA busy_timeout = 3000');
  database.exec(schema);
  store.atomically(() => {
    for (const { id, name, course, price, ingredients, diets } of dishes)
      store.run(
        'INSERT OR IGNORE INTO dishes VALUES (?, ?, ?, ?, ?, ?, 0)',
        id,
        name,
        course,
        price,
        ingredients,
        diets,
      );
  });
  return store;
}

export function openStore(path: string): Store {
  mkdirSync(dirname(path), { recursive: true });
  removeStaleLock(path);
  const database = new sqlite.Database(path);
  const store: Store = {
    all: (sql, ...values) => database.all(sql, [...values]) as never,
    one: (sql, ...values) => (database.get(sql, [...values]) ?? undefined) as never,
    run: (sql, ...values) => database.run(sql, [...values]).changes,
    atomically: (steps) => atomically(database, steps),
    close: () => database.close(),
  };
  try {
    return prepare(store, database);
  } catch (error) {
    database.close();
    throw error;
  }
}
