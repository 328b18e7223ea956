// One keep-alive connection that posts JSON and waits for the answer, written on a bare socket: a generator on the same
// two cores counts against the server under load, so it does as little as it can.
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Cookie to send from now on, when one was set. */
  readonly cookie: string | null;
}

export interface HttpConnection {
  /** One request at a time. */
  post(path: string, body: string, cookie?: string): Promise<Answer>;
  close(): void;
}

/** As long as the app waits. */
const LIMIT_MS = 30_000;
const HEAD_END = '\r\n\r\n';

function headerOf(head: string, name: string): string | null {
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim() ?? null;
}

/** The answer at the start of what was received; undefined while it is not complete. */
function readAnswer(received: Buffer): Answer | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = headerOf(head, 'content-length');
  if (length === null) throw new Error(`An answer without a length: ${head}`);
  const bodyAt = headEnd + HEAD_END.length;
  if (received.length < bodyAt + Number(length)) return undefined;
  const text = received.toString('utf8', bodyAt, bodyAt + Number(length));
  return {
    status: Number(head.slice(9, 12)),
    body: text === '' ? null : JSON.parse(text),
    cookie: headerOf(head, 'set-cookie')?.split(';')[0] ?? null,
  };
}

export async function openConnection(url: string): Promise<HttpConnection> {
  const { hostname, port, host, origin } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let received: Buffer = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<Answer> | null = null;
  const fail = (error: Error): void => waiting?.reject(error);
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    try {
      const answer = readAnswer(received);
      if (answer === undefined) return;
      received = Buffer.alloc(0);
      waiting?.resolve(answer);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  return {
    async post(path, body, cookie) {
      const asked = Promise.withResolvers<Answer>();
      waiting = asked;
      const late = setTimeout(
        () => fail(new Error(`${path} was not answered in ${LIMIT_MS / 1_000} s.`)),
        LIMIT_MS,
      );
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\ncontent-type: application/json\r\n` +
          `${cookie === undefined ? '' : `cookie: ${cookie}\r\n`}content-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
      );
      try {
        return await asked.promise;
      } finally {
        clearTimeout(late);
      }
    },
    close: () => socket.destroy(),
  };
}
