// The page's sockets to the server: the program holds them, as they need its session.
import type { Cookies } from './cookies.ts';
import type { ProgramMessage } from './messages.ts';
import type { Shell, ShellSocket } from './shell.ts';

const MOST_SOCKETS = 8;

/** All sockets of one page. */
export class PageSockets {
  readonly #open = new Map<string, ShellSocket>();
  readonly #shell: Pick<Shell, 'connect'>;
  readonly #tell: (message: ProgramMessage) => void;

  constructor(shell: Pick<Shell, 'connect'>, tell: (message: ProgramMessage) => void) {
    this.#shell = shell;
    this.#tell = tell;
  }

  /** `path`: with its query. Without a server it closes at once. */
  connect(
    socket: string,
    path: string,
    { server, cookies }: { readonly server: string | null; readonly cookies: Cookies },
  ): void {
    if (
      server === null ||
      !path.startsWith('/') ||
      this.#open.size >= MOST_SOCKETS ||
      this.#open.has(socket)
    ) {
      this.#tell({ type: 'closed', socket });
      return;
    }
    const cookie = cookies.header;
    const headers = { origin: server, ...(cookie !== '' && { cookie }) };
    const opened = this.#shell.connect(`${server.replace(/^http/, 'ws')}${path}`, headers, {
      opened: () => this.#tell({ type: 'opened', socket }),
      heard: (text) => this.#tell({ type: 'text', socket, text }),
      closed: () => {
        this.#open.delete(socket);
        this.#tell({ type: 'closed', socket });
      },
    });
    this.#open.set(socket, opened);
  }

  send(socket: string, text: string): void {
    this.#open.get(socket)?.send(text);
  }

  close(socket: string): void {
    this.#open.get(socket)?.close();
  }

  /** The page is gone. */
  closeAll(): void {
    for (const socket of this.#open.values()) socket.close();
    this.#open.clear();
  }
}
