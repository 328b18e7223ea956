// The real server process, killed again and again while a large tree follows its root to another scope.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { DATABASE_FILE } from '#server/data/location.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { protocolVersion } from '#wire/version.ts';
import { sharedListSchema } from '#wire/sharing.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { signUp, startServerChild, type ServerChild } from './server-child.ts';

const TASKS = 3_000;
const AT_ONCE = 500;
const KILLS = 6;
const newId = createIdSource({ now: () => Date.now(), random: (bytes) => randomFillSync(bytes) });

function inDatabase<T>(dataDir: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(dataDir, DATABASE_FILE));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Only accounts with a confirmed address share lists. */
function confirmEmail(dataDir: string, account: number): void {
  inDatabase(dataDir, (db) => {
    db.prepare('UPDATE account SET verified_at = 1 WHERE id = ?').run(account);
  });
}

interface Standing {
  readonly scope: Id;
  readonly id: Id;
  readonly parent: Id;
  readonly version: number;
  readonly hops: number;
}

const rowsIn = (dataDir: string): readonly Standing[] =>
  inDatabase(dataDir, (db) =>
    db
      .prepare('SELECT scope, id, parent, version, hops FROM entity')
      .all()
      .map((row) => row as unknown as Standing),
  );

const countOf = (dataDir: string, table: 'transfer'): number =>
  inDatabase(dataDir, (db) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']));

describe('a server that is killed while a large tree moves', () => {
  it('[SYNC-141] goes on at its next start until all of it is there, once', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-moving-kill-'));
    let server: ServerChild = await startServerChild(dataDir);
    try {
      const { cookie, scope: personal, account } = await signUp(server.address, 'mover@example.org');
      await server.kill();
      const list = newId();
      confirmEmail(dataDir, account);
      server = await startServerChild(dataDir);
      const device = newId();
      let seq = 0;
      const push = async (actions: readonly Record<string, unknown>[]): Promise<void> => {
        const now = Date.now();
        const ack = seq;
        const ops = actions.map((action) => {
          seq += 1;
          return { q: seq, u: newId(), scope: personal, t: now, b: 0, ...action };
        });
        const body = { schema: protocolVersion, device, clientNow: now, ops, ack, cursors: {} };
        const headers = { 'content-type': 'application/json', cookie, origin: server.address };
        const answer = await fetch(`${server.address}/sync/v1`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        const { results } = (await answer.json()) as SyncResponse;
        assert.deepEqual(new Set(results.map(([, verdict]) => verdict)), new Set(['ok']));
      };
      const inbox = inboxId(personal);
      const listAt = (scope: Id, id: Id, fields: Record<string, unknown>) => {
        const place = { parent: listsRoot(scope) };
        return { a: 'create', scope, id, type: 'list', fields, place };
      };
      await push([
        listAt(personal, inbox, { listType: 'inbox' }),
        listAt(personal, list, { listType: 'list', name: 'Shared' }),
      ]);
      const answered = await fetch(`${server.address}/app/api/sharing/lists/${list}`, {
        method: 'POST',
        headers: { cookie, origin: server.address },
      });
      const { scope: shared } = sharedListSchema.parse(await answered.json());
      const ids = Array.from({ length: TASKS }, newId);
      for (let from = 0; from < TASKS; from += AT_ONCE)
        await push(
          ids.slice(from, from + AT_ONCE).map((id, at) => {
            const parent = from + at === 0 ? inbox : (ids[Math.floor((from + at - 1) / 10)] ?? inbox);
            return { a: 'create', id, type: 'task', fields: { title: 'x' }, place: { parent } };
          }),
        );
      await push([{ a: 'place', id: ids[0], place: { parent: list } }]);
      let inTheMiddle = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        await delay(40 * kill);
        await server.kill();
        inTheMiddle += countOf(dataDir, 'transfer');
        server = await startServerChild(dataDir);
      }
      assert.ok(inTheMiddle > 1, `killed ${inTheMiddle} times in the middle`);
      for (const late = performance.now() + 60_000; countOf(dataDir, 'transfer') > 0; await delay(100))
        assert.ok(performance.now() < late, 'it ends');
      await server.kill();
      const rows = rowsIn(dataDir);
      // With the Inbox, the list, its mount and its owner.
      assert.equal(rows.length, TASKS + 4);
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const [at, id] of ids.entries()) {
        const { scope, hops, parent } = byId.get(id) ?? { scope: null, hops: 0, parent: null };
        assert.deepEqual([scope, hops], [shared, 1]);
        assert.equal(parent, at === 0 ? list : ids[Math.floor((at - 1) / 10)]);
      }
      for (const scope of [personal, shared]) {
        const sum = new DigestSum();
        for (const row of rows) if (row.scope === scope) sum.add(row.id, row.version);
        const digest = inDatabase(dataDir, (db) =>
          db.prepare('SELECT digest FROM scope WHERE id = ?').get(scope),
        );
        assert.equal(digest?.['digest'], sum.value);
      }
    } finally {
      await server.kill();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
