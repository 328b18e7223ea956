// One device pushing operations, as the app does: it numbers them, keeps its cursor, and takes the next step only after
// the answer. What it does is a fixed mix of what people do.
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { protocolVersion } from '#wire/version.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { taskTitle } from '../tasks.ts';
import type { BenchAccount } from './account.ts';
import type { HttpConnection } from './http-connection.ts';

const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
});

export class PushingDevice {
  readonly #account: BenchAccount;
  readonly #connection: HttpConnection;
  readonly #device = newId();
  readonly #tasks: Id[] = [];
  #seq = 0;
  #acked = 0;
  #cursor: { generation: string; version: number } | null = null;

  constructor(account: BenchAccount, connection: HttpConnection) {
    this.#account = account;
    this.#connection = connection;
  }

  /** Makes the Inbox, and reads up to now. */
  async join(): Promise<void> {
    const id = inboxId(this.#account.scope);
    const place = { parent: listsRoot(this.#account.scope), at: 'start' } as const;
    await this.#send([{ a: 'create', id, type: 'list', fields: { listType: 'inbox' }, place }], false);
  }

  /** Pushes so many operations; resolves with how many the server accepted, all of them durable by then. */
  push(count: number): Promise<number> {
    return this.#send(
      Array.from({ length: count }, (_, index) => this.#nextAction(this.#seq + index)),
      true,
    );
  }

  /** Of ten operations: four creations, three titles, one note, one completion, one move. */
  #nextAction(seq: number): Action {
    const at = seq % 10;
    const known = this.#tasks[(seq * 7) % Math.max(1, this.#tasks.length)];
    const other = this.#tasks.at(-1);
    if (known === undefined || other === undefined || at < 4) {
      const id = newId();
      const parent = inboxId(this.#account.scope);
      const place = other === undefined ? ({ parent, at: 'end' } as const) : { parent, after: other };
      this.#tasks.push(id);
      return { a: 'create', id, type: 'task', fields: { title: taskTitle(seq) }, place };
    }
    if (at === 8) return { a: 'set', id: known, field: 'status', value: { done: Date.now() } };
    if (at === 9 && known !== other)
      return { a: 'place', id: known, place: { parent: inboxId(this.#account.scope), after: other } };
    const field = at === 7 ? 'notes' : 'title';
    return { a: 'set', id: known, field, value: `${taskTitle(seq)} again` };
  }

  async #send(actions: readonly Action[], mustBeOk: boolean): Promise<number> {
    const { scope, cookie } = this.#account;
    const operations = actions.map((action): Operation => {
      this.#seq += 1;
      const b = this.#cursor?.version ?? 0;
      return { ...action, q: this.#seq, u: newId(), scope, t: Date.now(), b };
    });
    const body = {
      schema: protocolVersion,
      device: this.#device,
      clientNow: Date.now(),
      ops: operations,
      ack: this.#acked,
      cursors: this.#cursor === null ? {} : { [scope]: this.#cursor },
    };
    const answer = await this.#connection.post('/sync/v1', JSON.stringify(body), cookie);
    if (answer.status !== 200)
      throw new Error(`The server answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    const response = answer.body as SyncResponse;
    this.#acked = this.#seq;
    for (const change of response.changes)
      this.#cursor = { generation: change.generation, version: change.to };
    const refused = response.results.filter(([, verdict]) => verdict !== 'ok' && verdict !== 'superseded');
    if (mustBeOk && refused.length > 0)
      throw new Error(`Operations were refused: ${JSON.stringify(refused.slice(0, 3))}`);
    return response.results.length;
  }
}
