// The network: requests and sockets of the program, by libsoup.
import GLib from 'gi://GLib?version=2.0';
import type Gio from 'gi://Gio?version=2.0';
import Soup from 'gi://Soup?version=3.0';
import type { Headers, Incoming, Outgoing, ShellSocket, SocketListener } from '../shell.ts';
import { laterOrNull } from './async.ts';

const TIMEOUT_S = 60;
/** As the app's own limit of an answer. */
const LARGEST_MESSAGE = 64 * 1_024 * 1_024;
const KEEPALIVE_S = 30;
const NORMAL_CLOSE = 1_000;

const session = new Soup.Session({ timeout: TIMEOUT_S, user_agent: 'Posthaste desktop' });

function messageOf(method: string, address: string, headers: Headers): Soup.Message | null {
  const message = Soup.Message.new(method, address);
  for (const [name, value] of Object.entries(headers)) message?.request_headers.replace(name, value);
  return message;
}

/** Asks the server; null: there was no answer. */
export async function ask({ method, address, headers, body }: Outgoing): Promise<Incoming | null> {
  const message = messageOf(method, address, headers);
  if (message === null) return null;
  message.add_flags(Soup.MessageFlags.NO_REDIRECT);
  if (body !== null)
    message.set_request_body_from_bytes(headers['content-type'] ?? null, new GLib.Bytes(body));
  const answer = await laterOrNull(
    (done: (from: Soup.Session, result: Gio.AsyncResult) => void) =>
      session.send_and_read_async(message, GLib.PRIORITY_DEFAULT, null, done),
    (result, from) => from.send_and_read_finish(result).toArray(),
  );
  if (answer === null) return null;
  const cookies: string[] = [];
  const read: Record<string, string> = {};
  message.response_headers.foreach((name, value) => {
    const lower = name.toLowerCase();
    if (lower === 'set-cookie') cookies.push(value);
    else read[lower] = read[lower] === undefined ? value : `${read[lower]}, ${value}`;
  });
  return { status: message.status_code, headers: read, cookies, body: answer };
}

/** Opens a WebSocket. What is sent before it is open waits. */
export function connect(address: string, headers: Headers, on: SocketListener): ShellSocket {
  const { origin = null, ...others } = headers;
  const message = messageOf('GET', address, others);
  const waiting: string[] = [];
  let opened: Soup.WebsocketConnection | null = null;
  let isOver = message === null;
  const end = () => {
    if (isOver) return;
    isOver = true;
    on.closed();
  };
  if (message === null) on.closed();
  else
    void laterOrNull(
      (done: (from: Soup.Session, result: Gio.AsyncResult) => void) =>
        session.websocket_connect_async(message, origin, null, GLib.PRIORITY_DEFAULT, null, done),
      (result, from) => from.websocket_connect_finish(result),
    ).then((socket) => {
      if (socket === null) return end();
      opened = socket;
      socket.max_incoming_payload_size = LARGEST_MESSAGE;
      socket.keepalive_interval = KEEPALIVE_S;
      socket.connect('message', (_socket, type, bytes) => {
        if (type === Soup.WebsocketDataType.TEXT) on.heard(new TextDecoder().decode(bytes.toArray()));
      });
      socket.connect('closed', end);
      if (isOver) return socket.close(NORMAL_CLOSE, null);
      on.opened();
      for (const text of waiting.splice(0)) socket.send_text(text);
    });
  return {
    send(text) {
      if (opened === null) waiting.push(text);
      else if (opened.get_state() === Soup.WebsocketState.OPEN) opened.send_text(text);
    },
    close() {
      if (opened === null) end();
      else if (opened.get_state() === Soup.WebsocketState.OPEN) opened.close(NORMAL_CLOSE, null);
    },
  };
}
