// Files that are dropped onto a page from other programs. WebKitGTK tells its page of the drag, but gives it no file (CVE-2025-13947): so the drop is
// the program's as soon as there are files in it.
/* oxlint-disable max-params -- signals as GTK has them */

import Gdk from 'gi://Gdk?version=3.0';
import Gio from 'gi://Gio?version=2.0';
import Gtk from 'gi://Gtk?version=3.0';
import type WebKit2 from 'gi://WebKit2?version=4.1';
import type { FoundFile } from '../drops.ts';
import { laterOrNull } from './async.ts';
import { readContent } from './disk.ts';

const ASKED = 'standard::type,standard::size,standard::content-type,standard::display-name';

/** What an address of the system is. What is gone is a file that can’t be read. */
async function find(address: string): Promise<FoundFile> {
  const file = Gio.File.new_for_uri(address);
  const info = await laterOrNull(
    (done: (from: Gio.File, result: Gio.AsyncResult) => void) =>
      file.query_info_async(ASKED, Gio.FileQueryInfoFlags.NONE, 0, null, done),
    (result, from) => from.query_info_finish(result),
  );
  const name = file.get_basename() ?? '';
  if (info === null) return { name, type: '', bytes: 0, isFolder: false, read: () => Promise.resolve(null) };
  const kind = info.get_content_type();
  const isFile = info.get_file_type() === Gio.FileType.REGULAR;
  return {
    name: info.get_display_name(),
    type: (kind === null ? null : Gio.content_type_get_mime_type(kind)) ?? '',
    bytes: info.get_size(),
    isFolder: info.get_file_type() === Gio.FileType.DIRECTORY,
    // A device may never end.
    read: () => (isFile ? readContent(file) : Promise.resolve(null)),
  };
}

/** Tells of files that the person drops onto a page, and where in the window. */
export function followDrops(
  view: WebKit2.WebView,
  dropped: (files: readonly FoundFile[], x: number, y: number) => void,
): void {
  let drag: { readonly context: Gdk.DragContext; readonly addresses: readonly string[] } | null = null;
  view.connect('drag-data-received', (_view, context, _x, _y, data) => {
    // What begins in a window of ours may name any file: a page would get what its person never gave.
    if (Gtk.drag_get_source_widget(context) !== null) return;
    const addresses = (data.get_uris() ?? []).filter((address) => address.startsWith('file:'));
    if (addresses.length > 0) drag = { context, addresses };
  });
  view.connect('drag-motion', (_view, context, _x, _y, time) => {
    // The first ones are WebKit's, which asks what is in it.
    if (drag?.context !== context) return false;
    Gdk.drag_status(context, Gdk.DragAction.COPY, time);
    return true;
  });
  view.connect('drag-drop', (_view, context, x, y, time) => {
    if (drag?.context !== context) return false;
    const { addresses } = drag;
    drag = null;
    Gtk.drag_finish(context, true, false, time);
    void Promise.all(addresses.map(find)).then((files) => dropped(files, x, y));
    return true;
  });
}
