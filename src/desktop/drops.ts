// Files that were dropped onto a page whose engine doesn't give them to it: the program reads them, within limits, and the page fetches each of
// them once.
import { counted } from '#core/counted.ts';
import { fileLimits } from '#wire/files.ts';
import type { DroppedFile } from './messages.ts';
import type { PageAnswer } from './serving.ts';

/** A file or folder as the system names it. Nothing of it was read. */
export interface FoundFile {
  readonly name: string;
  /** Media type, or an empty text. */
  readonly type: string;
  readonly bytes: number;
  readonly isFolder: boolean;
  /** Null: it can't be read. */
  read(): Promise<Uint8Array | null>;
}

/** Where they were dropped, in pixels of the page, and what. */
export interface Drop {
  readonly x: number;
  readonly y: number;
  readonly files: readonly FoundFile[];
}

/** What is in the memory of the program and of the page at one time. */
export const dropLimits = { bytes: 10 * fileLimits.fileBytes, files: 1_000 } as const;

const MB = 1_048_576;
const FOLDER = '/app/dropped/';

/** `given`: what the page gets, in its order. `problem`: why something was left out, in words; null: nothing was. */
export interface KeptDrop {
  readonly given: readonly DroppedFile[];
  readonly problem: string | null;
}

function refusalOf(files: readonly FoundFile[]): string | null {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length > dropLimits.files)
    return `That’s more than ${dropLimits.files} files. Drop fewer at a time.`;
  if (bytes > dropLimits.bytes)
    return `That’s more than ${dropLimits.bytes / MB} MB. Drop fewer files at a time, or smaller ones.`;
  return null;
}

function problemOf(folders: readonly FoundFile[], unread: readonly FoundFile[]): string | null {
  const says: string[] = [];
  const [folder] = folders;
  if (folder)
    says.push(
      `Folders can’t be dropped here, so “${folder.name}” was left out. Open it, and drop what is inside.`,
    );
  const [first, ...others] = unread;
  if (first)
    says.push(
      others.length === 0
        ? `“${first.name}” can’t be read.`
        : `${counted(unread.length, 'file')} can’t be read, like “${first.name}”.`,
    );
  return says.length === 0 ? null : says.join(' ');
}

/** The dropped files of one page, until it has fetched them. */
export class Drops {
  readonly #kept = new Map<string, PageAnswer>();
  #count = 0;

  /** Reads what was dropped. Too much at once is left out whole. */
  async keep(files: readonly FoundFile[]): Promise<KeptDrop> {
    const folders = files.filter(({ isFolder }) => isFolder);
    const wanted = files.filter(({ isFolder }) => !isFolder);
    const refused = refusalOf(wanted);
    if (refused !== null) return { given: [], problem: refused };
    const given: DroppedFile[] = [];
    const unread: FoundFile[] = [];
    for (const file of wanted) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other: memory is for one that grows meanwhile, not for all.
      const content = await file.read();
      if (content === null || content.length > dropLimits.bytes) unread.push(file);
      else given.push(this.#keepOne(file, content));
    }
    return { given, problem: problemOf(folders, unread) };
  }

  /** A file at its address, which then is nothing's any more; null: it is no such address. */
  take(path: string): PageAnswer | null {
    if (!path.startsWith(FOLDER)) return null;
    const kept = this.#kept.get(path);
    this.#kept.delete(path);
    return kept ?? { status: 404, headers: {}, body: new Uint8Array() };
  }

  /** The page is gone. */
  forget(): void {
    this.#kept.clear();
  }

  #keepOne({ name, type }: FoundFile, body: Uint8Array): DroppedFile {
    this.#count += 1;
    const path = `${FOLDER}${this.#count}`;
    // The page knows its name and its type from the message: here it is nothing that an engine would show or run.
    const headers = {
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    };
    this.#kept.set(path, { status: 200, headers, body });
    return { name, type, path };
  }
}
