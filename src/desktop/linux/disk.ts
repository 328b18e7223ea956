// Files: those of the built app, and those that the program keeps for itself.
import GLib from 'gi://GLib?version=2.0';
import Gio from 'gi://Gio?version=2.0';
import { laterOrNull } from './async.ts';

const OWNER_ONLY = 0o700;

/** The content of a file; null: there is none that can be read. */
export const readFile = (path: string): Promise<Uint8Array | null> =>
  readContent(Gio.File.new_for_path(path));

/** The same of a file that is known by its address. */
export function readContent(from: Gio.File): Promise<Uint8Array | null> {
  return laterOrNull(
    (done: (file: Gio.File, result: Gio.AsyncResult) => void) => from.load_contents_async(null, done),
    (result, file) => file.load_contents_finish(result)[1],
  );
}

/** Replaces a file whole, by a rename, readable by its user alone. False: it could not be written. */
export const writePrivate = (folder: string, name: string, text: string): Promise<boolean> =>
  writeContent(folder, name, new TextEncoder().encode(text));

/** The same with bytes. */
export async function writeContent(folder: string, name: string, bytes: Uint8Array): Promise<boolean> {
  GLib.mkdir_with_parents(folder, OWNER_ONLY);
  const flags = Gio.FileCreateFlags.PRIVATE | Gio.FileCreateFlags.REPLACE_DESTINATION;
  const content = new GLib.Bytes(bytes);
  const isWritten = await laterOrNull(
    (done: (file: Gio.File, result: Gio.AsyncResult) => void) =>
      Gio.File.new_for_path(`${folder}/${name}`).replace_contents_bytes_async(
        content,
        null,
        false,
        flags,
        null,
        done,
      ),
    (result, file) => file.replace_contents_finish(result)[0],
  );
  return isWritten === true;
}

/** Everything that comes from a stream. */
export async function readStream(stream: Gio.InputStream): Promise<Uint8Array> {
  const all = Gio.MemoryOutputStream.new_resizable();
  const { CLOSE_SOURCE, CLOSE_TARGET } = Gio.OutputStreamSpliceFlags;
  await laterOrNull(
    (done: (to: Gio.MemoryOutputStream, result: Gio.AsyncResult) => void) =>
      all.splice_async(stream, CLOSE_SOURCE | CLOSE_TARGET, GLib.PRIORITY_DEFAULT, null, done),
    (result, to) => to.splice_finish(result),
  );
  return all.steal_as_bytes().toArray();
}
