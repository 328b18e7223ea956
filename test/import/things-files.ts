// For tests: databases as Things has them, in both generations of its schema, in memory and on disk with a log.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import initSqlJs from 'sql.js';
import { openBySqlJs, type SqlJs } from '#core/formats/import/sql-js.ts';
import type { ImportPorts } from '#core/formats/import/shape.ts';

let loaded: Promise<SqlJs> | null = null;

/** Opens databases as the app does. */
export const ports: ImportPorts = {
  openDatabase: openBySqlJs(() => {
    loaded ??= initSqlJs();
    return loaded;
  }),
};

/** A value of a row. */
export type Value = string | number | null | Uint8Array;
/** A row of a table by column. */
export type Values = Readonly<Record<string, Value>>;

const NEW = `uuid TEXT PRIMARY KEY, title TEXT, notes TEXT, type INTEGER, status INTEGER, stopDate REAL, creationDate REAL,
  trashed INTEGER, project TEXT, area TEXT, heading TEXT, "index" INTEGER, start INTEGER, startDate INTEGER,
  startBucket INTEGER, deadline INTEGER, reminderTime INTEGER, rt1_repeatingTemplate TEXT, rt1_recurrenceRule BLOB,
  rt1_nextInstanceStartDate INTEGER, rt1_instanceCreationPaused INTEGER`;
const OLD = `uuid TEXT PRIMARY KEY, title TEXT, notes TEXT, type INTEGER, status INTEGER, stopDate REAL, creationDate REAL,
  trashed INTEGER, project TEXT, area TEXT, actionGroup TEXT, "index" INTEGER, start INTEGER, startDate REAL,
  dueDate REAL, alarmTimeOffset REAL, repeatingTemplate TEXT, recurrenceRule BLOB, nextInstanceStartDate REAL,
  instanceCreationPaused INTEGER`;

/** The tables that are read. */
export const thingsTables = ['TMTask', 'TMArea', 'TMTag', 'TMTaskTag', 'TMChecklistItem'];
/** The columns of the newer schema, of all tables. */
export const thingsColumns = ['shortcut', 'parent', 'tasks', 'tags', 'task'].concat(
  [...NEW.matchAll(/"?(\w+)"? (?:TEXT|INTEGER|REAL|BLOB)/g)].map(([, name = '']) => name),
);

/** The rows of a database by table. */
export type Tables = Readonly<Record<string, readonly Values[]>>;

function fill(database: DatabaseSync, tables: Tables): void {
  database.exec('BEGIN');
  for (const [table, rows] of Object.entries(tables))
    for (const row of rows) {
      const names = Object.keys(row);
      const statement = `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
      database.prepare(statement).run(...Object.values(row));
    }
  database.exec('COMMIT');
}

function schema(database: DatabaseSync, isOld: boolean): void {
  database.exec(`CREATE TABLE TMTask (${isOld ? OLD : NEW});
    CREATE TABLE TMArea (uuid TEXT, title TEXT, "index" INTEGER);
    CREATE TABLE TMTag (uuid TEXT, title TEXT, shortcut TEXT, parent TEXT, "index" INTEGER);
    CREATE TABLE TMTaskTag (tasks TEXT, tags TEXT);
    CREATE TABLE TMChecklistItem (uuid TEXT, task TEXT, title TEXT, status INTEGER, stopDate REAL, creationDate REAL, "index" INTEGER);`);
}

/** A copy: `slice` of a Buffer shares its memory. */
const bytesIn = (path: string) => new Uint8Array(readFileSync(path));

/** The bytes of a database, and of its log when the last tables are only in it. */
export function thingsFiles(
  tables: Tables,
  { isOld = false, logged }: { readonly isOld?: boolean; readonly logged?: Tables } = {},
): { readonly main: Uint8Array; readonly log: Uint8Array | null } {
  const folder = mkdtempSync(join(tmpdir(), 'things-'));
  const path = join(folder, 'main.sqlite');
  const database = new DatabaseSync(path);
  try {
    if (logged) database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
    schema(database, isOld);
    fill(database, tables);
    if (logged) {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      fill(database, logged);
      return { main: bytesIn(path), log: bytesIn(`${path}-wal`) };
    }
    database.close();
    return { main: bytesIn(path), log: null };
  } finally {
    if (database.isOpen) database.close();
    rmSync(folder, { recursive: true });
  }
}

/** A day as newer databases have it. */
export const packed = (year: number, month: number, day: number) => (year << 16) | (month << 12) | (day << 7);

/** A rule as a property list. */
export const rule = (fields: Readonly<Record<string, string>>) =>
  new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x"><plist version="1.0"><dict>${Object.entries(
      {
        rrv: '<integer>4</integer>',
        rc: '<integer>0</integer>',
        ts: '<integer>0</integer>',
        ed: '<real>64092211200</real>',
        ...fields,
      },
    )
      .map(([key, value]) => `<key>${key}</key>${value}`)
      .join('')}</dict></plist>`,
  );
