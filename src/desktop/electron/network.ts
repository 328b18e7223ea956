// The network of the Electron shell: requests by Chromium's own stack, so that proxies and certificates are the system's; sockets by ws.
import { net } from 'electron';
import { WebSocket } from 'ws';
import type { Headers, Incoming, Outgoing, ShellSocket, SocketListener } from '../shell.ts';

const TIMEOUT_MS = 60_000;

/** Asks the server; null: there was no answer. */
export async function ask({ method, address, headers, body }: Outgoing): Promise<Incoming | null> {
  try {
    const answer = await net.fetch(address, {
      method,
      headers,
      // Cookies are the program's.
      credentials: 'omit',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== null && { body: new Uint8Array(body) }),
    });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      cookies: answer.headers.getSetCookie(),
      body: new Uint8Array(await answer.arrayBuffer()),
    };
  } catch {
    // No network, no server, or not in time.
    return null;
  }
}

/** Opens a WebSocket. What is sent before it is open waits. */
export function connect(address: string, headers: Headers, on: SocketListener): ShellSocket {
  const socket = new WebSocket(address, { headers });
  const waiting: string[] = [];
  socket.on('open', () => {
    on.opened();
    for (const text of waiting.splice(0)) socket.send(text);
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) on.heard(data.toString('utf8'));
  });
  socket.on('close', () => on.closed());
  // It closes then, too.
  socket.on('error', () => undefined);
  return {
    send(text) {
      if (socket.readyState === WebSocket.CONNECTING) waiting.push(text);
      else if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
}
