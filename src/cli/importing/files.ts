// The files of an import from the command line: bytes, also of a folder's files, and a database that is opened from them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Cell, ImportDatabase } from '#core/formats/import/shape.ts';
import type { ImportSource } from '#client/importing/port.ts';
import { Failure, wrongUse } from '../failure.ts';
import type { World } from '../world.ts';

/** A folder that is named by mistake may hold anything. */
const MOST_FILES = 5_000;

function sourceOf(path: string, name: string): ImportSource {
  const content = new Uint8Array(readFileSync(path));
  return { name, size: content.length, content, writtenAt: Math.round(statSync(path).mtimeMs) };
}

function inFolder(folder: string): readonly ImportSource[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  if (found.length > MOST_FILES)
    throw wrongUse(`${folder} has more than ${MOST_FILES} files. Name the ones to import.`);
  return found.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return sourceOf(path, `${basename(folder)}/${relative(folder, path).replaceAll('\\', '/')}`);
  });
}

/** `paths` are relative to the folder the command runs in; `-` is the standard input. */
export async function sourcesOf(world: World, paths: readonly string[]): Promise<readonly ImportSource[]> {
  const found: ImportSource[] = [];
  for (const path of paths) {
    if (path === '-') {
      // oxlint-disable-next-line no-await-in-loop -- There is one input.
      const content = await world.readInput();
      found.push({ name: 'The input', size: content.length, content });
      continue;
    }
    const whole = resolve(world.folder, path);
    try {
      found.push(...(statSync(whole).isDirectory() ? inFolder(whole) : [sourceOf(whole, basename(whole))]));
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure('missing', error instanceof Error ? error.message : String(error));
    }
  }
  return found;
}

/** Opens a database from its bytes, in a copy that nobody else reads. */
export function openDatabase(image: Uint8Array): Promise<ImportDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'posthaste-import-'));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'copy.sqlite');
    writeFileSync(path, image, { mode: 0o600 });
    const database = new DatabaseSync(path, { readOnly: true, enableForeignKeyConstraints: false });
    database.exec('PRAGMA trusted_schema = OFF');
    return Promise.resolve({
      rows: (statement) => database.prepare(statement).all() as Record<string, Cell>[],
      close() {
        database.close();
        close();
      },
    });
  } catch (error) {
    close();
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}
