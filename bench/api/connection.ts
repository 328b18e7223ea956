// One keep-alive connection of a program that uses the public API, on a bare socket: it reads as little of an answer as it
// must, because it shares the machine with the server under load.
import { connect } from 'node:net';

export interface ApiAnswer {
  readonly status: number;
  /** The body, not looked at. */
  readonly text: () => string;
}

export interface ApiConnection {
  /** One request at a time. */
  ask(method: string, path: string, body?: string): Promise<ApiAnswer>;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
const CHUNKED = Number.MAX_SAFE_INTEGER;
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

function textOf(body: Buffer, isChunked: boolean): string {
  if (!isChunked) return body.toString();
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
  return Buffer.concat(parts).toString();
}

/** `more`: header lines that go with every request. */
export async function openApiConnection(
  url: string,
  token: string | null,
  more: readonly string[] = [],
): Promise<ApiConnection> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let chunks: Buffer[] = [];
  let received = 0;
  /** Bytes of head and body together; -1 while the head is not there. */
  let wanted = -1;
  let bodyAt = 0;
  let waiting: PromiseWithResolvers<ApiAnswer> | null = null;
  const fail = (error: Error) => waiting?.reject(error);

  function readHead(): void {
    const start = Buffer.concat(chunks);
    chunks = [start];
    const headEnd = start.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = /^content-length: *(\d+)/im.exec(start.toString('latin1', 0, headEnd))?.[1];
    bodyAt = headEnd + HEAD_END.length;
    wanted = length === undefined ? CHUNKED : bodyAt + Number(length);
  }

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    if (wanted < 0) readHead();
    if (
      wanted < 0 ||
      (wanted === CHUNKED ? !chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : received < wanted)
    )
      return;
    const isChunked = wanted === CHUNKED;
    const whole = chunks;
    const from = bodyAt;
    chunks = [];
    received = 0;
    wanted = -1;
    const status = Number(whole[0]?.toString('latin1', 9, 12));
    waiting?.resolve({ status, text: () => textOf(Buffer.concat(whole).subarray(from), isChunked) });
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  const always = [`host: ${host}`, ...(token === null ? [] : [`authorization: Bearer ${token}`]), ...more];
  return {
    ask(method, path, body) {
      waiting = Promise.withResolvers<ApiAnswer>();
      const about =
        body === undefined
          ? []
          : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
      const head = [`${method} ${path} HTTP/1.1`, ...always, ...about].join('\r\n');
      socket.write(head + HEAD_END + (body ?? ''));
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}
