// The folder of a twin on disk. Files are read again only when they changed, and written whole, only if they are still what they were.
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Found, TwinFolder } from '#client/twin/ports.ts';
import { writeWhole } from '../private-folder.ts';

/** Where a twin keeps what it remembers, below its folder. */
export const OWN = '.posthaste';

const DEEPEST = 20;
const READABLE = 0o644;

interface Known {
  readonly stamp: string;
  readonly text: string | null;
}

/** Null: not UTF-8. A byte order mark stays. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Some other encoding, or half a character: the file is left alone.
    return null;
  }
}

/** Files of people: hidden ones are those of editors and systems. */
const isOurs = (name: string) => /\.md$/i.test(name) && !/^[.~#]/.test(name);

export class DiskFolder implements TwinFolder {
  readonly #root: string;
  #known = new Map<string, Known>();

  constructor(root: string) {
    this.#root = root;
  }

  #at = (path: string) => join(this.#root, ...path.split('/'));

  #paths(dir: string, depth: number): readonly string[] {
    if (depth > DEEPEST) return [];
    return readdirSync(this.#at(dir), { withFileTypes: true }).flatMap((entry) => {
      const path = dir === '' ? entry.name : `${dir}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        return this.#paths(path, depth + 1);
      return entry.isFile() && isOurs(entry.name) ? [path] : [];
    });
  }

  #stamp(path: string): string {
    const { mtimeMs, size, ino } = statSync(this.#at(path));
    return `${mtimeMs} ${size} ${ino}`;
  }

  #scan(): ReadonlyMap<string, Known> {
    const found = new Map<string, Known>();
    for (const path of this.#paths('', 0).toSorted()) {
      try {
        const stamp = this.#stamp(path);
        const known = this.#known.get(path);
        found.set(
          path,
          known?.stamp === stamp ? known : { stamp, text: textOf(readFileSync(this.#at(path))) },
        );
      } catch (error) {
        // Renamed away by an editor between the listing and the reading: the next look finds what came of it.
        if (!isMissing(error)) throw error;
      }
    }
    return found;
  }

  /** Whether a file is not what it was when it was last read or written here. */
  hasChanged(): boolean {
    const now = this.#scan();
    if (now.size !== this.#known.size) return true;
    return [...now].some(([path, { text }]) => this.#known.get(path)?.text !== text);
  }

  read(): Promise<readonly Found[]> {
    this.#known = new Map(this.#scan());
    return Promise.resolve([...this.#known].map(([path, { text }]) => ({ path, text })));
  }

  #isStill(path: string, before: string): boolean {
    return existsSync(this.#at(path)) && textOf(readFileSync(this.#at(path))) === before;
  }

  #keep(path: string, text: string): void {
    this.#known.set(path, { stamp: this.#stamp(path), text });
  }

  write(path: string, before: string | null, text: string): Promise<boolean> {
    return Promise.resolve(before === null ? this.#create(path, text) : this.#replace(path, before, text));
  }

  #draft(text: string, mode: number): string {
    const draft = join(this.#root, OWN, 'draft.md');
    writeWhole(draft, text, mode);
    chmodSync(draft, mode);
    return draft;
  }

  #create(path: string, text: string): boolean {
    const draft = this.#draft(text, READABLE);
    mkdirSync(dirname(this.#at(path)), { recursive: true, mode: 0o755 });
    try {
      // Unlike a rename, a link takes nobody's place.
      linkSync(draft, this.#at(path));
    } catch (error) {
      if (existsSync(this.#at(path))) return false;
      if (isMissing(error)) throw error;
      renameSync(draft, this.#at(path));
    } finally {
      rmSync(draft, { force: true });
    }
    this.#keep(path, text);
    return true;
  }

  #replace(path: string, before: string, text: string): boolean {
    if (!this.#isStill(path, before)) return false;
    const own = this.#at(path);
    const draft = this.#draft(text, statSync(own).mode & 0o777);
    // An editor that saves at this very moment would be overwritten: what was there stays at hand until it is looked at again.
    const old = join(this.#root, OWN, 'replaced.md');
    rmSync(old, { force: true });
    try {
      linkSync(own, old);
    } catch {
      // No hard links on this file system.
    }
    if (!this.#isStill(path, before)) return false;
    renameSync(draft, own);
    if (existsSync(old) && textOf(readFileSync(old)) !== before) {
      renameSync(old, own);
      return false;
    }
    rmSync(old, { force: true });
    this.#keep(path, text);
    return true;
  }

  rename(path: string, before: string, to: string): Promise<boolean> {
    if (!this.#isStill(path, before)) return Promise.resolve(false);
    const isCaseOnly = path.toLowerCase() === to.toLowerCase();
    if (!isCaseOnly && existsSync(this.#at(to))) return Promise.resolve(false);
    mkdirSync(dirname(this.#at(to)), { recursive: true, mode: 0o755 });
    renameSync(this.#at(path), this.#at(to));
    this.#known.delete(path);
    this.#keep(to, before);
    this.#tidy(dirname(path));
    return Promise.resolve(true);
  }

  setAside(path: string, before: string): Promise<boolean> {
    if (!this.#isStill(path, before)) return Promise.resolve(false);
    const removed = join(this.#root, OWN, 'removed');
    mkdirSync(removed, { recursive: true, mode: 0o700 });
    const stem = basename(path).replace(/\.md$/i, '');
    let number = 1;
    const to = () => join(removed, number === 1 ? `${stem}.md` : `${stem} (${number}).md`);
    while (existsSync(to())) number += 1;
    renameSync(this.#at(path), to());
    this.#known.delete(path);
    this.#tidy(dirname(path));
    return Promise.resolve(true);
  }

  /** Removes a directory that a list or a folder left empty. */
  #tidy(dir: string): void {
    if (dir === '.' || dir === '' || readdirSync(this.#at(dir)).length > 0) return;
    rmSync(this.#at(dir), { recursive: true });
    this.#tidy(dirname(dir));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
