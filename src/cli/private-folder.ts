// The folder of the command line in the user's configuration, readable only by its owner: files are written atomically,
// with mode 0600. What they contain is up to the callers.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as z from 'zod/mini';

const OTHERS = 0o077;

type Environment = Readonly<Record<string, string | undefined>>;

function folderOf(environment: Environment): string {
  const own = environment['POSTHASTE_HOME'];
  if (own) return own;
  if (process.platform === 'win32' && environment['APPDATA'])
    return join(environment['APPDATA'], 'posthaste');
  return join(
    environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config'),
    'posthaste',
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Writes durably and atomically: no reader ever sees half a file. */
export function writeWhole(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.new`;
  try {
    const file = openSync(draft, 'w', mode);
    try {
      const content = Buffer.from(text);
      // On a disk that is nearly full a call writes a part, and the next one says why.
      for (let from = 0; from < content.length;) from += writeSync(file, content, from);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The files of the command line, readable by their owner alone. */
export class PrivateFolder {
  readonly path: string;

  constructor(environment: Environment) {
    this.path = folderOf(environment);
  }

  /** Null: missing, or not valid by `schema`. */
  read<T>(name: string, schema: z.ZodMiniType<T>): T | null {
    let text: string;
    try {
      text = readFileSync(join(this.path, name), 'utf8');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    try {
      return schema.safeParse(JSON.parse(text)).data ?? null;
    } catch {
      // Not JSON, cut short by some other program: as good as missing.
      return null;
    }
  }

  write(name: string, value: unknown): void {
    writeWhole(join(this.path, name), `${JSON.stringify(value, null, 2)}\n`);
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { force: true });
  }

  /** Names of the files in a subfolder, sorted. */
  names(folder: string): readonly string[] {
    try {
      return readdirSync(join(this.path, folder))
        .filter((name) => name.endsWith('.json'))
        .toSorted();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Makes a file private again. True: others could read it. */
  close(name: string): boolean {
    if (process.platform === 'win32') return false;
    const path = join(this.path, name);
    try {
      if ((statSync(path).mode & OTHERS) === 0) return false;
      chmodSync(path, 0o600);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
}
