// Databases that are there before a server under test starts on them: accounts with their sessions, and accounts full of
// tasks. Written by the server's own code in this process, with passwords that are hashed cheaply: what is measured
// begins afterwards.
import { must } from '#core/assert.ts';
import { generateNKeysBetween } from 'fractional-indexing';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { readConfig } from '#server/config.ts';
import type { Store, WriteBatch } from '#server/data/store.ts';
import { startServer, type RunningServer } from '#server/server.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { asRow, registersOf, type Fields, type Row } from '#sync/rows/row.ts';
import { datasetOf } from '../datasets.ts';
import { rowsOf } from '../rows.ts';
import { type BenchAccount, signUp } from './account.ts';
import { openConnection } from './http-connection.ts';

const CHEAP = { memory: 64, passes: 1, parallelism: 1 };
const ROWS_PER_COMMIT = 5_000;
const LISTS = 20;
/** Of each row of a tree. */
const CHILDREN = 20;
const NOTHING: WriteBatch = {
  scopes: [],
  scopeGenerations: [],
  rows: [],
  tombstones: [],
  devices: [],
  results: [],
  forgetResults: [],
  history: [],
};

const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
});

async function withServer<T>(
  folder: string,
  work: (url: string, store: Store, server: RunningServer) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const read = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'off',
    ...environment,
  });
  if (!read.ok) throw new Error(read.problem.join('\n'));
  const server = await startServer(read.value, { hashParameters: CHEAP });
  try {
    return await work(`http://127.0.0.1:${server.port}`, server.database.store, server);
  } finally {
    await server.close();
  }
}

async function signUpAll(url: string, count: number): Promise<readonly BenchAccount[]> {
  const door = await openConnection(url);
  const accounts: BenchAccount[] = [];
  for (let number = 0; number < count; number += 1) accounts.push(await signUp(door, `person-${number}`));
  door.close();
  return accounts;
}

/** Each row is a change of its own with its history, as if a device had made one after the other. */
async function write(store: Store, { number, scope }: BenchAccount, rows: readonly Row[]): Promise<void> {
  await store.write(async (tx) => {
    const before = must((await tx.lockScopes([scope])).get(scope), 'an account has its scope');
    const device = newId();
    const { number: deviceNumber } = must(
      (await tx.devices([{ id: device, account: number }])).get(device),
      'a device is made when it is asked for',
    );
    const digest = new DigestSum(before.digest);
    const written = rows.map((row, at): Row => {
      const version = before.version + at + 1;
      digest.add(row.id, version);
      return {
        ...row,
        version,
        updatedAt: before.updatedClock + at + 1,
        stamp: [version, row.createdAt, deviceNumber, at + 1],
      };
    });
    const after = {
      ...before,
      version: before.version + rows.length,
      updatedClock: before.updatedClock + rows.length,
      digest: digest.value,
    };
    const history = written.map((row, at) => {
      const { id, type, version, createdAt } = row;
      const { place: _place, ...fields } = registersOf(row);
      return {
        scope,
        version,
        account: number,
        device: deviceNumber,
        at: createdAt,
        operation: {
          a: 'create',
          id,
          type,
          fields,
          q: at + 1,
          u: newId(),
          scope,
          t: createdAt,
          b: 0,
        } as const,
        before: [{ id, fields: null }],
      };
    });
    await tx.save({ ...NOTHING, scopes: [after], rows: written, history });
  });
}

/** A database with so many accounts, each signed in. `environment`: of the server that makes them. */
export function prepareAccounts(
  folder: string,
  count: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly BenchAccount[]> {
  return withServer(folder, (url) => signUpAll(url, count), environment);
}

/** A database with one account for each of these numbers, which has so many scopes. */
export function prepareScopes(folder: string, scopes: readonly number[]): Promise<readonly BenchAccount[]> {
  return withServer(folder, async (url, store) => {
    const accounts = await signUpAll(url, scopes.length);
    for (const [at, { number }] of accounts.entries())
      for (let more = 1; more < (scopes[at] ?? 1); more += 1)
        await store.createScope({ id: newId(), kind: 'list', owner: number });
    return accounts;
  });
}

/** A tree in a person's own scope, and a list of another scope that it can move to. */
export interface PreparedTree {
  readonly owner: BenchAccount;
  /** Somebody else, with an Inbox. */
  readonly other: BenchAccount;
  readonly root: Id;
  readonly list: Id;
}

function row(id: Id, type: 'list' | 'task', of: { readonly scope: Id; readonly fields: Fields }): Row {
  const now = Date.now();
  return asRow({ id, type, ...of, version: 0, stamp: [0, now, 0, 0], createdAt: now, updatedAt: now });
}

function inboxOf({ scope }: BenchAccount): Row {
  const place = { parent: listsRoot(scope), key: 'a0' };
  return row(inboxId(scope), 'list', { scope, fields: { listType: 'inbox', place } });
}

/** A tree of so many tasks; the first one, which all others are beneath, under this parent. */
function treeOf(tasks: number, scope: Id, under: Id): readonly Row[] {
  const ids = Array.from({ length: tasks }, newId);
  const keys = generateNKeysBetween(null, null, tasks);
  return ids.map((id, at) => {
    const parent = at === 0 ? under : (ids[Math.floor((at - 1) / CHILDREN)] ?? id);
    const fields = { title: `Task ${at} of a tree that moves`, place: { parent, key: keys[at] } };
    return row(id, 'task', { scope, fields });
  });
}

/** A list of somebody's own that is large, and somebody else. */
export interface PreparedList {
  /** With a confirmed address. */
  readonly owner: BenchAccount;
  readonly other: BenchAccount;
  readonly list: Id;
  /** What is in it. */
  readonly tasks: readonly Id[];
}

/** A database with a list of so many tasks. */
export function prepareList(folder: string, tasks: number): Promise<PreparedList> {
  return withServer(folder, async (url, store, { database }) => {
    const [owner, other] = await signUpAll(url, 2);
    if (owner === undefined || other === undefined) throw new Error('Two people are there.');
    await database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
    const list = newId();
    const place = { parent: listsRoot(owner.scope), key: 'a1' };
    const own = row(list, 'list', { scope: owner.scope, fields: { listType: 'list', name: 'Large', place } });
    await write(store, other, [inboxOf(other)]);
    const tree = treeOf(tasks, owner.scope, list);
    await write(store, owner, [inboxOf(owner), own, ...tree]);
    return { owner, other, list, tasks: tree.map(({ id }) => id) };
  });
}

/** A database with a tree of so many tasks. */
export function prepareTree(folder: string, tasks: number): Promise<PreparedTree> {
  return withServer(folder, async (url, store) => {
    const [owner, other] = await signUpAll(url, 2);
    if (owner === undefined || other === undefined) throw new Error('Two people are there.');
    const [shared, list] = [newId(), newId()];
    await store.createScope({ id: shared, kind: 'list', owner: owner.number });
    const lists = [owner, other].map(inboxOf);
    const rows = treeOf(tasks, owner.scope, inboxId(owner.scope));
    const place = { parent: listsRoot(shared), key: 'a0' };
    const named = row(list, 'list', { scope: shared, fields: { listType: 'list', name: 'Shared', place } });
    await write(store, other, lists.slice(1));
    await write(store, { ...owner, scope: shared }, [named]);
    await write(store, owner, [...lists.slice(0, 1), ...rows]);
    return { owner, other, root: rows[0]?.id ?? list, list };
  });
}

/** A database of so many tasks, shared out evenly among so many accounts. */
export function prepareTasks(folder: string, tasks: number, accounts: number): Promise<void> {
  return withServer(folder, async (url, store) => {
    for (const account of await signUpAll(url, accounts)) {
      const rows = rowsOf(datasetOf(tasks / accounts, LISTS), {
        scope: account.scope,
        now: Date.now(),
        newId,
      });
      for (let from = 0; from < rows.length; from += ROWS_PER_COMMIT)
        await write(store, account, rows.slice(from, from + ROWS_PER_COMMIT));
    }
  });
}
