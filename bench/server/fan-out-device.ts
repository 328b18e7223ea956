// A device of a member of a shared list that does what the app's does, as cheaply as that goes: it keeps a cursor and the versions
// of rows, one request at a time carries what it has written, and news on the socket are taken in where they follow, or
// fetched. A generator on the same two cores counts against the server under load.
import { WebSocket } from 'ws';
import type { Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import type { LiveMessage } from '#wire/live.ts';
import type { ScopeChanges, SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import type { BenchAccount } from './account.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';

/** The app sends what a key did after the frame that shows it. */
const FRAME_MS = 16;
/** Messages that are remembered: every member is sent the same ones. */
const REMEMBERED = 500;

const parsed = new Map<string, LiveMessage>();

function parse(text: string): LiveMessage {
  const known = parsed.get(text);
  if (known) return known;
  const message = JSON.parse(text) as LiveMessage;
  if (parsed.size >= REMEMBERED) parsed.clear();
  parsed.set(text, message);
  return message;
}

export class FanOutDevice {
  /** What came over the socket, and requests that were made. */
  readonly count = { deltas: 0, pokes: 0, requests: 0 };
  readonly #account: BenchAccount;
  readonly #scope: Id;
  readonly #door: HttpConnection;
  readonly #socket: WebSocket;
  readonly #heard: (title: string) => void;
  readonly #device = crypto.randomUUID();
  readonly #versions = new Map<string, number>();
  readonly #digest = new DigestSum();
  readonly #outbox: Operation[] = [];
  #cursors: Record<string, { generation: string; version: number }> = {};
  #seq = 0;
  #acked = 0;
  #isRunning = false;
  #isAskedAgain = false;
  #failure: Error | null = null;
  /** What the server says the sum of the scope is at the cursor. */
  #said: string | undefined;

  private constructor(
    account: BenchAccount,
    scope: Id,
    { door, socket, heard }: { door: HttpConnection; socket: WebSocket; heard: (title: string) => void },
  ) {
    this.#account = account;
    this.#scope = scope;
    this.#door = door;
    this.#socket = socket;
    this.#heard = heard;
  }

  /** Reads everything, and listens from then on. `heard` is called for each row that it did not know in this version. */
  static async open(
    url: string,
    account: BenchAccount,
    { scope, heard }: { readonly scope: Id; readonly heard: (title: string) => void },
  ): Promise<FanOutDevice> {
    const door = await openConnection(url);
    const headers = { cookie: account.cookie };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, { headers, origin: url });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const device = new FanOutDevice(account, scope, { door, socket, heard });
    await device.#exchange();
    socket.on('message', (data: Buffer) => device.#message(parse(data.toString())));
    socket.send(JSON.stringify({ type: 'hello', device: device.#device, cursors: device.#cursors }));
    return device;
  }

  /** Writes, and sends it after a frame. */
  issue(action: Action): void {
    this.#seq += 1;
    const head = { q: this.#seq, u: crypto.randomUUID() as Id, scope: this.#scope, t: Date.now() };
    this.#outbox.push({ ...action, ...head, b: this.#cursors[this.#scope]?.version ?? 0 });
    this.#wake();
  }

  get version(): number {
    return this.#cursors[this.#scope]?.version ?? 0;
  }

  /** All that it wrote is judged, and it holds what the server says is in the scope. */
  get isSettled(): boolean {
    if (this.#failure !== null) throw this.#failure;
    return this.#outbox.length === 0 && !this.#isRunning && this.#said === this.#digest.value;
  }

  close(): void {
    this.#socket.terminate();
    this.#door.close();
  }

  #message(message: LiveMessage): void {
    if (message.type === 'poke') {
      this.count.pokes += 1;
      if (message.to > (this.#cursors[message.scope]?.version ?? 0)) this.#wake();
    } else if (message.type === 'delta') {
      this.count.deltas += 1;
      const { changes } = message;
      const cursor = this.#cursors[changes.scope];
      if (cursor === undefined || changes.to <= cursor.version) return;
      if (this.#isRunning || cursor.version !== changes.from) this.#wake();
      else this.#take(changes);
    }
  }

  #wake(): void {
    if (this.#isRunning) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isRunning = true;
    setTimeout(() => {
      this.#isAskedAgain = false;
      this.#exchange().then(
        () => {
          this.#isRunning = false;
          if (this.#isAskedAgain || this.#outbox.length > 0) this.#wake();
        },
        (error: unknown) => {
          this.#failure = error instanceof Error ? error : new Error(String(error));
        },
      );
    }, FRAME_MS);
  }

  async #exchange(): Promise<void> {
    this.count.requests += 1;
    const ops = [...this.#outbox];
    const head = { schema: protocolVersion, device: this.#device, clientNow: Date.now(), ack: this.#acked };
    const request = JSON.stringify({ ...head, ops, cursors: this.#cursors });
    const { status, body } = await this.#door.post('/sync/v1', request, this.#account.cookie);
    if (status !== 200) throw new Error(`The server answered ${status}: ${JSON.stringify(body)}`);
    const { results, changes } = body as SyncResponse;
    const refused = results.filter(([, verdict]) => verdict !== 'ok');
    if (refused.length > 0 || results.length < ops.length)
      throw new Error(`Not all was accepted: ${JSON.stringify(refused)}`);
    this.#acked = ops.at(-1)?.q ?? this.#acked;
    this.#outbox.splice(0, ops.length);
    for (const each of changes) this.#take(each);
    if (changes.some(({ more }) => more)) this.#isAskedAgain = true;
  }

  #take({ scope, generation, to, rows, digest }: ScopeChanges): void {
    this.#cursors[scope] = { generation, version: to };
    if (scope !== this.#scope) return;
    this.#said = digest;
    for (const { id, v, f } of rows) {
      const before = this.#versions.get(id) ?? null;
      if (before !== null && before >= v) continue;
      this.#versions.set(id, v);
      this.#digest.change(id as Id, before, v);
      if (typeof f['title'] === 'string') this.#heard(f['title']);
    }
  }
}
