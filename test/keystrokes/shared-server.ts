// A server's history of several scopes for tests at a desk: what somebody does in a shared list reaches the desk and that history
// together, as an exchange would bring it.
import type { AccountFailure, AccountPort, HistoryQuery } from '#client/app/app.ts';
import type { Id } from '#core/ids.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { asRow, type Fields, type Row } from '#sync/rows/row.ts';
import type { WireHistoryEntry } from '#wire/history.ts';
import { type Desk } from './desk.ts';
import { noAccount } from './no-server.ts';
import { START } from './desk-engine.ts';

const PAGE = 100;

export class SharedServer {
  readonly entries = new Map<Id, WireHistoryEntry[]>();
  readonly asked: HistoryQuery[] = [];
  /** Answers of scopes that cannot be read. */
  readonly failures = new Map<Id, AccountFailure>();
  /** Numbers of the person's own devices. */
  own: readonly number[] = [];
  pageSize = PAGE;
  #seq = 0;

  account(): AccountPort {
    return {
      ...noAccount,
      email: 'ben@example.org',
      devices: () =>
        Promise.resolve(
          this.own.map((number) => ({
            number,
            name: 'Phone',
            current: false,
            signedIn: true,
            lastHeardAt: null,
            lastChange: 0,
            upToDate: true,
          })),
        ),
      history: (of) => {
        this.asked.push(of);
        const failure = this.failures.get(of.scope);
        if (failure) return Promise.resolve(failure);
        const all = (this.entries.get(of.scope) ?? []).filter(
          ({ version }) => of.before === null || version < of.before,
        );
        const entries = all.slice(0, of.limit ?? this.pageSize);
        return Promise.resolve({
          entries,
          next: all.length > entries.length ? (entries.at(-1)?.version ?? null) : null,
        });
      },
    };
  }

  /** An entry of the history alone. The newest is first. */
  record(
    scope: Id,
    entry: Partial<WireHistoryEntry> & Pick<WireHistoryEntry, 'operation'>,
  ): WireHistoryEntry {
    const known = this.entries.get(scope) ?? [];
    const version = entry.version ?? (known[0]?.version ?? 1) + 1;
    const whole = { account: 2, device: 9, at: START + version, before: [], ...entry, version };
    known.unshift(whole);
    this.entries.set(scope, known);
    return whole;
  }

  /** Somebody sets registers of rows, in one gesture. Null: the default. */
  write(
    desk: Desk,
    rows: readonly (readonly [id: Id, fields: Fields])[],
    {
      account = 2,
      device = 9,
      at,
    }: { readonly account?: number; readonly device?: number; readonly at?: number } = {},
  ): void {
    const group = desk.replica.newId();
    const changed = rows.map(([id, fields]): Row => {
      const row = desk.replica.row(id) as Row;
      const q = (this.#seq += 1);
      const [field = '', value] = Object.entries(fields)[0] ?? [];
      const before = Object.fromEntries(
        Object.keys(fields).map((name) => [name, (row.fields as Fields)[name] ?? null]),
      );
      const u = desk.replica.newId();
      const action =
        field === 'del'
          ? { a: value === null ? 'restore' : 'delete', id }
          : field === 'place'
            ? { a: 'place', id, place: value }
            : { a: 'set', id, field, value };
      const { version, at: time } = this.record(row.scope, {
        account,
        device,
        ...(at === undefined ? {} : { at }),
        operation: { ...action, q, u, g: group, t: START } as unknown as WireHistoryEntry['operation'],
        before: [{ id, fields: before }],
      });
      const stamp = [version, time, device, q] as const;
      const next = Object.entries({ ...row.fields, ...fields }).filter(([, one]) => one !== null);
      const stamps = {
        ...row.stamps,
        ...Object.fromEntries(Object.keys(fields).map((name) => [name, stamp])),
      };
      return { ...row, fields: Object.fromEntries(next), stamps, version, updatedAt: time } as unknown as Row;
    });
    receivePage(desk.replica, changed);
    for (const scope of new Set(changed.map((row) => row.scope))) this.#seen(desk, scope);
  }

  /** Somebody adds a row. Returns its id. */
  add(
    desk: Desk,
    scope: Id,
    fields: Fields,
    by: { readonly account?: number; readonly device?: number } = {},
  ): Id {
    return this.addAll(desk, scope, [fields], by)[0] as Id;
  }

  /** Somebody adds tasks. Returns their ids. */
  addAll(
    desk: Desk,
    scope: Id,
    tasks: readonly Fields[],
    { account = 2, device = 9 }: { readonly account?: number; readonly device?: number } = {},
  ): readonly Id[] {
    const rows = tasks.map((fields): Row => {
      const id = desk.replica.newId();
      const q = (this.#seq += 1);
      const head = { q, u: desk.replica.newId(), g: desk.replica.newId(), t: START };
      const { version, at } = this.record(scope, {
        account,
        device,
        operation: {
          a: 'create',
          id,
          type: 'task',
          fields,
          ...head,
        } as unknown as WireHistoryEntry['operation'],
        before: [{ id, fields: null }],
      });
      const stamp = [version, at, device, q] as const;
      return asRow({ id, type: 'task', fields, scope, version, stamp, createdAt: at, updatedAt: at });
    });
    receivePage(desk.replica, rows);
    this.#seen(desk, scope);
    return rows.map(({ id }) => id);
  }

  /** The desk has heard of everything. */
  #seen(desk: Desk, scope: Id): void {
    const version = this.entries.get(scope)?.[0]?.version ?? 1;
    desk.replica.setCursor(scope, { generation: 'g', version });
  }
}
