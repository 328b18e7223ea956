// Files that may be imported, as a browser gives them: chosen, dropped with their folders, or opened by the system. Nothing is
// read here. Loaded with the first ones.
import type { ImportSource } from '#client/importing/port.ts';

/** A folder that is dropped by mistake may hold anything. */
const MOST_FILES = 5_000;

/** `name` has the folders of a dropped file before it: "Things Database.thingsdatabase/main.sqlite". */
const sourceOf = (file: File, name = file.name): ImportSource => ({
  name,
  size: file.size,
  content: file,
  writtenAt: file.lastModified,
});

/** Asks the person for files with any ending; empty when they canceled. */
export function pickSources(): Promise<readonly ImportSource[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('cancel', () => resolve([]));
    input.addEventListener('change', () => resolve(Array.from(input.files ?? [], (file) => sourceOf(file))));
    input.click();
  });
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** The next entries of a folder; browsers give some at a time. Empty: that was all. */
const entriesOf = (reader: FileSystemDirectoryReader) =>
  new Promise<readonly FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** All files that were dropped, with those inside folders. What cannot be read any more is left out. */
export async function droppedSources(
  entries: readonly (FileSystemEntry | null)[],
  files: readonly File[],
): Promise<readonly ImportSource[]> {
  // Not every browser knows folders, and what a program drops from its memory is in none.
  if (!entries.some((entry) => entry !== null && isFolder(entry))) return files.map((file) => sourceOf(file));
  const found: ImportSource[] = [];
  const waiting = entries.filter((entry) => entry !== null).toReversed();
  for (let entry = waiting.pop(); entry && found.length < MOST_FILES; entry = waiting.pop()) {
    try {
      if (isFile(entry)) {
        // oxlint-disable-next-line no-await-in-loop -- One after the other, as they lie in their folders.
        found.push(sourceOf(await fileOf(entry), entry.fullPath.replace(/^\/+/, '')));
      } else if (isFolder(entry)) {
        const reader = entry.createReader();
        // oxlint-disable-next-line no-await-in-loop -- Each call gives the entries after those of the last.
        for (let more = await entriesOf(reader); more.length > 0; more = await entriesOf(reader))
          waiting.push(...more);
      }
    } catch {
      // It is gone, or may not be read: the others are imported.
    }
  }
  return found;
}

/** What the system opened with the app. What cannot be read any more is left out. */
export async function openedSources(
  handles: readonly { getFile(): Promise<File> }[],
): Promise<readonly ImportSource[]> {
  const read = await Promise.allSettled(handles.map((handle) => handle.getFile()));
  return read.flatMap((result) => (result.status === 'fulfilled' ? [sourceOf(result.value)] : []));
}
