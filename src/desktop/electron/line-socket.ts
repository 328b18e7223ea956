// A socket of this person's alone, by which the command line talks to the app: one line, one answer. Windows has no such sockets.
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { desktopSocket, longestLine } from '#wire/desktop.ts';

const OWNER_ONLY = 0o600;

function answerOne(socket: Socket, answer: (line: string) => Promise<string>): void {
  let text = '';
  socket.setEncoding('utf8');
  // It went away without waiting.
  socket.on('error', () => undefined);
  socket.on('data', (part: string) => {
    text += part;
    const at = text.indexOf('\n');
    if (at < 0) {
      if (text.length > longestLine) socket.destroy();
      return;
    }
    socket.pause();
    void answer(text.slice(0, at)).then((said) => socket.end(`${said}\n`));
  });
}

/** Where the socket is. `own`: the folder of the app, where the system has none for sockets. */
export const socketPath = (own: string): string => join(process.env['XDG_RUNTIME_DIR'] || own, desktopSocket);

/** As `Shell.answerLines`. The returned function ends it. */
export function answerLines(path: string, answer: (line: string) => Promise<string>): () => void {
  if (process.platform === 'win32') return () => undefined;
  rmSync(path, { force: true });
  const server = createServer((socket) => answerOne(socket, answer));
  server.on('error', (error) => console.warn('The command line can’t talk to this app.', error));
  server.listen(path, () => chmodSync(path, OWNER_ONLY));
  return () => server.close();
}
