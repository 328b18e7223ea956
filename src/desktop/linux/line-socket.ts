// A socket of this person's alone, by which the command line talks to the app: one line, one answer.
import GLib from 'gi://GLib?version=2.0';
import Gio from 'gi://Gio?version=2.0';
import { desktopSocket, longestLine } from '#wire/desktop.ts';
import { laterOrNull } from './async.ts';

const OWNER_ONLY = 0o600;
/** Of a character in UTF-8. */
const MOST_BYTES = 4;

async function answerOne(
  connection: Gio.SocketConnection,
  answer: (line: string) => Promise<string>,
): Promise<void> {
  const input = new Gio.DataInputStream({ base_stream: connection.get_input_stream() });
  input.set_buffer_size(longestLine * MOST_BYTES);
  const line = await laterOrNull(
    (done: (from: Gio.DataInputStream, result: Gio.AsyncResult) => void) =>
      input.read_line_async(GLib.PRIORITY_DEFAULT, null, done),
    (result, from) => from.read_line_finish(result)[0],
  );
  if (line !== null && line.length <= longestLine * MOST_BYTES) {
    const text = await answer(new TextDecoder().decode(line));
    await laterOrNull(
      (done: (to: Gio.OutputStream, result: Gio.AsyncResult) => void) =>
        connection
          .get_output_stream()
          .write_all_async(new TextEncoder().encode(`${text}\n`), GLib.PRIORITY_DEFAULT, null, done),
      (result, to) => to.write_all_finish(result),
    );
  }
  connection.close_async(GLib.PRIORITY_DEFAULT, null, null);
}

let service: Gio.SocketService | null = null;

/** As `Shell.answerLines`. The program runs once, so what an earlier one left there goes. */
export function answerLines(answer: (line: string) => Promise<string>): void {
  const path = `${GLib.get_user_runtime_dir()}/${desktopSocket}`;
  try {
    GLib.unlink(path);
    service = new Gio.SocketService();
    service.add_address(
      Gio.UnixSocketAddress.new(path),
      Gio.SocketType.STREAM,
      Gio.SocketProtocol.DEFAULT,
      null,
    );
    const { NONE } = Gio.FileQueryInfoFlags;
    Gio.File.new_for_path(path).set_attribute_uint32('unix::mode', OWNER_ONLY, NONE, null);
    service.connect('incoming', (_service, connection) => {
      void answerOne(connection, answer);
      return true;
    });
    service.start();
  } catch (error) {
    console.warn('The command line can’t talk to this app.', error);
  }
}
