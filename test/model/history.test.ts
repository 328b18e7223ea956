// Random histories: every moment is shown as it was, bringing a list back makes it what it was, one undo takes that back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { deriveId, labelsRoot, listsRoot, mineId, type Id } from '#core/ids.ts';
import { registerChecks } from '#wire/registers.ts';
import { isLiving, type Tree } from '#client/history/differences.ts';
import type { ServedEntry } from '#client/history/change.ts';
import { gesturesOf, ownPart, servedPart } from '#client/history/gestures.ts';
import { restoring } from '#client/history/restoring.ts';
import { Travel } from '#client/history/travel.ts';
import { UndoHistory } from '#client/app/undo.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { openDatabase } from '#server/data/database.ts';
import { createExchange } from '#server/sync/exchange.ts';
import { protocolVersion } from '#wire/version.ts';
import { Journal } from '#sync/replica/journal.ts';
import type { Action } from '#sync/rows/operation.ts';
import { DeviceReplica } from '#sync/replica/replica.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { action, inbox, labels, lists, opening, scope, tasks } from './actions.ts';

const START = Date.UTC(2026, 10, 27, 9);
const ROOTS: readonly (Id | null)[] = [inbox, lists[0] as Id, tasks[0] as Id, null];

/** A device on its own, with a clock that stands. */
class Bench {
  readonly replica: DeviceReplica;
  readonly journal: Journal;
  readonly undo: UndoHistory;
  #ids = 0;

  constructor() {
    const clock = { now: () => START, monotonic: () => 0 };
    const meta = {
      device: scope,
      deviceNumber: 0,
      scope,
      account: 0,
      seq: 0,
      acked: 0,
      cursors: {},
      clockOffsetMs: 0,
    };
    const fill = (bytes: Uint8Array) => {
      this.#ids += 1;
      for (let at = 0; at < bytes.length; at += 1)
        bytes[at] = (this.#ids * 31 + at * 7 + ((this.#ids * at) % 11)) & 255;
    };
    this.replica = new DeviceReplica(meta, [], {
      checks: registerChecks,
      clock,
      random: { fill, fraction: () => 0.5 },
    });
    this.journal = new Journal({
      storage: { journal: () => Promise.resolve([]) },
      clock,
      timers: { after: () => () => undefined },
      device: () => scope,
      lane: () => 0,
      save: () => undefined,
    });
    this.journal.begin();
    this.undo = new UndoHistory(this.replica, this.journal);
    this.replica.issue(opening);
  }

  gesture(...steps: readonly (readonly Action[])[]): void {
    const group = this.replica.newId();
    for (const actions of steps) {
      const issued = this.replica.issue(actions, { group });
      this.undo.record({ issued, label: 'did something', group, cursor: null, renames: false });
    }
  }

  travel(root: Id | null): Travel {
    const travel = new Travel(root, this.replica);
    travel.add(gesturesOf((this.journal.all ?? []).toReversed().map((entry) => ownPart(entry, new Set()))));
    return travel;
  }
}

/** Of one task, what no picture holds; a label that was never there cannot be put on again. */
const UNSAID = new Set([
  `label:${labels[2]}`,
  'of',
  'place',
  'del',
  'notesDoc',
  'collapsed',
  'reminded',
  'snoozeCount',
]);

function said(fields: Readonly<Record<string, unknown>> = {}): [string, unknown][] {
  return Object.entries(fields)
    .filter(([field, value]) => !UNSAID.has(field) && value !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Everything living that hangs there, in order, with what it holds. */
function picture(roots: readonly Id[], tree: Tree, self: Id | null): unknown {
  const below = (parent: Id): unknown[] =>
    tree
      .children(parent)
      .flatMap((row) =>
        isLiving(row)
          ? [[row.id, said(row.fields), said(tree.row(mineId(scope, row.id))?.fields), below(row.id)]]
          : [],
      );
  const own = self === null ? undefined : tree.row(self);
  return [isLiving(own) ? said(own.fields) : null, ...roots.map(below)];
}

const roots = [listsRoot(scope), labelsRoot(scope)];

/** The server's write path over a database in memory. */
async function createServer() {
  const database = await openDatabase({ dataDir: ':memory:' });
  const { store } = database;
  await store.createScope({ id: scope, kind: 'personal', owner: 7 });
  const generations = await store.openGeneration('first', 1);
  const clock = { now: () => START, monotonic: () => 0 };
  const exchange = createExchange({
    store,
    clock,
    generations,
    publish: () => undefined,
    nextTurn: (work) => setImmediate(work),
  });
  const actor: AccountActor = {
    type: 'account',
    account: 7,
    session: tasks[0] as Id,
    kind: 'web',
    personalScope: scope,
    roles: new Map([[scope, 'owner']]),
  };
  return {
    store,
    /** Whether it was accepted. */
    async push(one: Action, q: number): Promise<boolean> {
      const u = deriveId('history', 'operation', String(q));
      const ops = [{ ...one, q, u, scope, t: START, b: Number.MAX_SAFE_INTEGER }];
      const head = { schema: protocolVersion, device: lists[2] as Id, clientNow: START, ack: 0, cursors: {} };
      const answer = await exchange.sync(actor, { ...head, ops } as never);
      return answer.ok && answer.value.results.at(-1)?.[1] === 'ok';
    },
    async read() {
      const page = await store.changes(scope, 0, 10_000);
      const rows = new Map(page.rows.map((row) => [row.id, row]));
      const keyOf = (row: Row) => `${fieldOf(row, 'place')?.key} ${row.id}`;
      const tree = {
        scope,
        row: (id: Id) => rows.get(id),
        children: (parent: Id) =>
          [...rows.values()]
            .filter((held) => fieldOf(held, 'place')?.parent === parent)
            .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
      };
      return { tree, version: page.to };
    },
    async close() {
      await exchange.idle();
      await database.close();
    },
  };
}

const history = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 14 });

describe('random histories', () => {
  test('[HIST-8] every moment is as it was', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...ROOTS), (gestures, root) => {
        const bench = new Bench();
        const roots = new Travel(root, bench.replica).roots;
        const pictures = new Map<string, unknown>();
        let last = picture(roots, bench.replica, root);
        for (const actions of gestures) {
          bench.gesture(actions);
          const key = bench.journal.all?.at(-1)?.operations.at(-1)?.u;
          if (key !== undefined && !pictures.has(key)) pictures.set(key, last);
          last = picture(roots, bench.replica, root);
        }
        const travel = bench.travel(root);
        const { moments } = travel;
        for (const order of [moments.map((_, at) => at + 1), moments.map((_, at) => at + 1).toReversed()]) {
          for (const position of order) {
            travel.goTo(position);
            const expected = pictures.get(moments[position - 1]?.gesture.key ?? '');
            if (expected !== undefined)
              assert.deepEqual(picture(roots, travel.comparing.past, root), expected);
          }
        }
        travel.goTo(0);
        assert.deepEqual(picture(roots, travel.comparing.past, root), last);
        travel.compare();
        assert.deepEqual([travel.differingCount, travel.around, travel.later], [0, [], []]);
      }),
      { numRuns: 300, includeErrorInReport: true, seed: 27 },
    );
  });

  test('[HIST-9] bringing a list back makes it what it was, and one undo takes that back', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...ROOTS), fc.nat(), (gestures, root, choice) => {
        const bench = new Bench();
        for (const actions of gestures) bench.gesture(actions);
        const travel = bench.travel(root);
        const { roots, comparing } = travel;
        travel.goTo(choice % (travel.moments.length + 1));
        if (root !== null && !isLiving(comparing.past.row(root))) return;
        const was = picture(roots, comparing.past, root);
        const before = [
          picture(roots, bench.replica, root),
          picture(new Travel(null, bench.replica).roots, bench.replica, null),
        ];
        const { steps } = restoring(comparing, { self: root, roots, isWhole: true });
        bench.gesture(...steps);
        assert.deepEqual(picture(roots, bench.replica, root), was);
        if (steps.length > 0) bench.undo.undo();
        assert.deepEqual(
          [
            picture(roots, bench.replica, root),
            picture(new Travel(null, bench.replica).roots, bench.replica, null),
          ],
          before,
        );
      }),
      { numRuns: 300, includeErrorInReport: true, seed: 28 },
    );
  });

  test('[HIST-8] every moment that the server knows is as it was there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
        const server = await createServer();
        const pictures = new Map<number, unknown>();
        let last: unknown = null;
        for (const [at, one] of [...opening, ...actions].entries()) {
          if (!(await server.push(one, at + 1))) continue;
          const { tree, version } = await server.read();
          pictures.set(version, last);
          last = picture(roots, tree, null);
        }
        const { tree } = await server.read();
        const travel = new Travel(null, tree);
        const entries = await server.store.history(scope, { limit: 1_000 });
        travel.add(gesturesOf(entries.map((entry) => servedPart(entry as unknown as ServedEntry))));
        for (const [at, { gesture }] of travel.moments.entries()) {
          travel.goTo(at + 1);
          const version = entries.find(({ operation }) => operation.u === gesture.key)?.version ?? 0;
          const expected = pictures.get(version);
          if (expected) assert.deepEqual(picture(roots, travel.comparing.past, null), expected);
        }
        await server.close();
      }),
      { numRuns: 40, includeErrorInReport: true, seed: 29 },
    );
  });
});
