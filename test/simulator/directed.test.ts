// Collisions that random histories seldom meet, made on purpose: two devices do it apart, then hear of each other.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completionId, inboxId, mineId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Issued, Replica } from '#sync/replica/replica-types.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import type { SimulatedDevice } from './device.ts';
import { production } from './production.ts';
import { SeededRandom } from './random.ts';
import { World } from './world.ts';
import { crowd } from './user.ts';

interface Pair {
  readonly world: World;
  readonly first: SimulatedDevice;
  readonly second: SimulatedDevice;
  /** Lives on for so long. */
  readonly later: (ms: number) => Promise<unknown>;
  /** Cuts both off, lets them act one after the other, and brings the second back before the first. */
  readonly apart: (first: () => void, second: () => void) => Promise<void>;
}

async function withPair(seed: number, work: (pair: Pair) => Promise<void>): Promise<void> {
  const world = new World(seed, production, { devices: 2, accounts: 1, faults: false });
  try {
    await world.open();
    await world.settle();
    const [first, second] = world.devices as [SimulatedDevice, SimulatedDevice];
    const later = (ms: number): Promise<boolean> => {
      const until = world.scheduler.now + ms;
      world.scheduler.after(ms, () => undefined);
      return world.scheduler.runUntil(() => world.scheduler.now >= until, until + 1_000);
    };
    await work({
      world,
      first,
      second,
      later,
      apart: async (byFirst, bySecond) => {
        for (const device of [first, second]) world.network.setOnline(device, false);
        byFirst();
        await later(60_000);
        bySecond();
        await later(5_000);
        world.network.setOnline(second, true);
        await later(120_000);
        world.network.setOnline(first, true);
        await world.settle();
        await world.check();
      },
    });
  } finally {
    await world.close();
  }
}

function replicaOf(device: SimulatedDevice): Replica {
  assert.ok(device.engine);
  return device.engine.replica;
}

function issue(device: SimulatedDevice, ...actions: Action[]): Issued {
  return replicaOf(device).issue(actions);
}

function addTask(device: SimulatedDevice, fields: Record<string, unknown> = {}): Id {
  const replica = replicaOf(device);
  const id = replica.newId();
  issue(device, { a: 'create', id, type: 'task', fields, place: { parent: inboxId(replica.scope) } });
  return id;
}

const daily = {
  value: 1,
  unit: 'days',
  metadata: null,
  from: 'due date',
  missed: 'every',
  anchorDay: null,
} as const;
const day = (number: number): { readonly on: string } => ({
  on: `2026-05-${String(number).padStart(2, '0')}`,
});
const complete = (id: Id, occ: number): Action => ({
  a: 'complete',
  id,
  occ,
  at: 1_000 + occ,
  next: { due: day(occ + 2), start: null },
});

async function serverRow(world: World, id: Id): Promise<Row | undefined> {
  const [scope] = world.server.oracle.scopes.keys();
  return (await world.server.rowsOf(scope as Id)).get(id);
}

describe('two devices apart', () => {
  it('[SYNC-1] [SYNC-2] the later edit stands, whichever arrives first', async () => {
    await withPair(1, async ({ world, first, second, apart }) => {
      const id = addTask(first, { title: 'plan' });
      await world.settle();
      await apart(
        () => void issue(first, { a: 'set', id, field: 'title', value: 'earlier' }),
        () => void issue(second, { a: 'set', id, field: 'title', value: 'later' }),
      );
      assert.equal(fieldOf(await serverRow(world, id), 'title'), 'later');
    });
  });

  it('[CAL-85] blocks that both planned both stand, and of one that both changed the later change', async () => {
    await withPair(85, async ({ world, first, second, apart }) => {
      const id = addTask(first, { title: 'plan' });
      const mine = mineId(replicaOf(first).scope, id);
      const [held, left, right] = Array.from({ length: 3 }, () => `block:${replicaOf(first).newId()}`);
      assert.ok(held !== undefined && left !== undefined && right !== undefined);
      const block = (hour: number, minutes: number) => ({
        start: Date.UTC(2026, 4, 4, hour),
        minutes,
        occ: 0,
      });
      issue(first, { a: 'create', id: mine, type: 'mine', fields: { of: id, [held]: block(9, 30) } });
      await world.settle();
      const set = (device: SimulatedDevice, field: string, value: unknown) =>
        void issue(device, { a: 'set', id: mine, field, value } as Action);
      await apart(
        () => {
          set(first, held, block(14, 30));
          set(first, left, block(16, 30));
        },
        () => {
          set(second, held, block(9, 45));
          set(second, right, block(17, 30));
        },
      );
      const planned = { [held]: block(9, 45), [left]: block(16, 30), [right]: block(17, 30) };
      for (const row of [
        await serverRow(world, mine),
        replicaOf(first).row(mine),
        replicaOf(second).row(mine),
      ])
        assert.deepEqual({ ...row?.fields }, { of: id, ...planned });
      await apart(
        () => set(first, held, block(15, 45)),
        () => set(second, held, null),
      );
      const row = replicaOf(first).row(mine);
      assert.equal(row === undefined ? undefined : registersOf(row)[held], undefined, 'it was removed later');
    });
  });

  it('[SYNC-2] a clock that is a year wrong changes nothing', async () => {
    for (const offset of [31_536_000_000, -31_536_000_000]) {
      await withPair(2, async ({ world, first, second, apart }) => {
        const id = addTask(first, { title: 'plan' });
        await world.settle();
        first.clockOffsetMs += offset;
        await apart(
          () => void issue(first, { a: 'set', id, field: 'title', value: 'earlier' }),
          () => void issue(second, { a: 'set', id, field: 'title', value: 'later' }),
        );
        assert.equal(fieldOf(await serverRow(world, id), 'title'), 'later');
      });
    }
  });

  it('[SYNC-3] edits of different registers both stand', async () => {
    await withPair(3, async ({ world, first, second, apart }) => {
      const id = addTask(first, { title: 'plan' });
      await world.settle();
      await apart(
        () =>
          void issue(
            first,
            { a: 'set', id, field: 'title', value: 'launch' },
            { a: 'set', id, field: 'meta:a', value: '1' },
          ),
        () =>
          void issue(
            second,
            { a: 'set', id, field: 'due', value: day(1) },
            { a: 'set', id, field: 'meta:b', value: '2' },
          ),
      );
      const { title, due, 'meta:a': a, 'meta:b': b } = registersOf(await serverRow(world, id));
      assert.deepEqual({ title, due, a, b }, { title: 'launch', due: day(1), a: '1', b: '2' });
    });
  });

  it('[SYNC-4] two moves that would make a cycle: one stands', async () => {
    await withPair(4, async ({ world, first, second, apart }) => {
      const [a, b] = [addTask(first), addTask(first)];
      await world.settle();
      await apart(
        () => void issue(first, { a: 'place', id: a, place: { parent: b } }),
        () => void issue(second, { a: 'place', id: b, place: { parent: a } }),
      );
      const tops = replicaOf(first).children(inboxId(replicaOf(first).scope));
      assert.equal(tops.filter(({ id }) => id === a || id === b).length, 1);
    });
  });

  it('[SYNC-7] what was added under something thrown away meanwhile moves to the living', async () => {
    await withPair(5, async ({ world, first, second, apart }) => {
      const [grandparent, parent, child] = [addTask(first), addTask(first), replicaOf(first).newId()];
      issue(first, { a: 'place', id: parent, place: { parent: grandparent } });
      await world.settle();
      await apart(
        () => void issue(first, { a: 'create', id: child, type: 'task', fields: {}, place: { parent } }),
        () => void issue(second, { a: 'delete', id: parent }),
      );
      assert.equal(fieldOf(await serverRow(world, child), 'place')?.parent, grandparent);
    });
  });

  it('[SYNC-6] two runs at one spot stay together, each in its order', async () => {
    await withPair(6, async ({ world, first, second, apart }) => {
      const anchor = addTask(first);
      await world.settle();
      const run = (device: SimulatedDevice): Id[] => {
        const ids = Array.from({ length: 60 }, () => replicaOf(device).newId());
        ids.forEach((id, index) => {
          const after = index === 0 ? anchor : (ids[index - 1] as Id);
          issue(device, {
            a: 'create',
            id,
            type: 'task',
            fields: {},
            place: { parent: inboxId(replicaOf(device).scope), after },
          });
        });
        return ids;
      };
      let runs: Id[][] = [];
      await apart(
        () => (runs = [run(first)]),
        () => runs.push(run(second)),
      );
      const shown = replicaOf(first)
        .children(inboxId(replicaOf(first).scope))
        .map(({ id }) => id)
        .filter((id) => runs.flat().includes(id));
      assert.deepEqual(shown, runs.flat());
    });
  });

  it('[SYNC-6] four hundred insertions between the two that were placed last spread their neighbors', async () => {
    await withPair(7, async ({ world, first, second, apart }) => {
      addTask(first);
      await world.settle();
      const insert = (device: SimulatedDevice): void => crowd(device, 200);
      await apart(
        () => insert(first),
        () => insert(second),
      );
      assert.ok((world.hits.counts.get('spread of crowded keys') ?? 0) > 0);
    });
  });

  it('[SYNC-25] a copied storage becomes a device of its own and keeps what it had to say', async () => {
    await withPair(8, async ({ world, first }) => {
      const id = addTask(first, { title: 'shared' });
      await world.settle();
      const copy = first.copy('copy');
      if (first.contents.meta !== null) world.server.oracle.noteCopy(first.contents.meta.device, []);
      world.addDevice(copy);
      await world.settle();
      issue(first, { a: 'set', id, field: 'title', value: 'by the first' });
      issue(copy, { a: 'set', id, field: 'notes', value: 'by the copy' });
      await world.settle();
      await world.check();
      const { title, notes } = registersOf(await serverRow(world, id));
      assert.deepEqual({ title, notes }, { title: 'by the first', notes: 'by the copy' });
      assert.notEqual(copy.contents.meta?.device, first.contents.meta?.device);
    });
  });
});

describe('repeating tasks on two devices', () => {
  it('[SYNC-9] the same occurrence completed twice advances once and leaves one record', async () => {
    await withPair(20, async ({ world, first, second, apart }) => {
      const id = addTask(first, { repeat: daily, due: day(1) });
      await world.settle();
      await apart(
        () => void issue(first, complete(id, 0)),
        () => void issue(second, complete(id, 0)),
      );
      const row = await serverRow(world, id);
      assert.deepEqual({ occ: fieldOf(row, 'occ'), due: fieldOf(row, 'due') }, { occ: 1, due: day(2) });
      assert.equal(fieldOf(await serverRow(world, completionId(id, 0)), 'del'), undefined);
    });
  });

  it('[SYNC-9] taking back a completion brings back its date and hides its record', async () => {
    await withPair(21, async ({ world, first }) => {
      const id = addTask(first, { repeat: daily, due: day(1) });
      const { inverses } = issue(first, complete(id, 0));
      await world.settle();
      issue(first, ...inverses);
      await world.settle();
      await world.check();
      const row = await serverRow(world, id);
      assert.deepEqual(
        { occ: fieldOf(row, 'occ'), due: fieldOf(row, 'due') },
        { occ: undefined, due: day(1) },
      );
      assert.notEqual(fieldOf(await serverRow(world, completionId(id, 0)), 'del'), undefined);
    });
  });

  it('[SYNC-14] what was complete beneath begins anew once; a completion that came second opens nothing', async () => {
    await withPair(22, async ({ world, first, second, apart }) => {
      const id = addTask(first, { repeat: daily, due: day(1) });
      const step = replicaOf(first).newId();
      const done = { status: { done: 5 } };
      issue(first, { a: 'create', id: step, type: 'task', fields: done, place: { parent: id } });
      await world.settle();
      const anew = (occ: number): Action => ({ ...complete(id, occ), anew: [step] }) as Action;
      await apart(
        () => void issue(second, anew(0)),
        () => {
          issue(first, anew(0));
          // Done again, for the next occurrence.
          issue(first, { a: 'complete', id: step, occ: 0, at: 6, next: null });
        },
      );
      assert.deepEqual(fieldOf(await serverRow(world, step), 'status'), { done: 6 });
      const { inverses } = issue(second, anew(1));
      await world.settle();
      assert.equal(fieldOf(await serverRow(world, step), 'status'), undefined);
      issue(second, ...inverses);
      await world.settle();
      await world.check();
      assert.deepEqual(fieldOf(await serverRow(world, step), 'status'), { done: 6 });
      assert.equal(fieldOf(await serverRow(world, id), 'occ'), 1);
    });
  });

  it('[SYNC-15] what only one occurrence was changed to ends with it, and comes back with it', async () => {
    await withPair(23, async ({ world, first, second, apart }) => {
      const id = addTask(first, { repeat: daily, due: day(9), title: 'water twice', notes: 'both pots' });
      const series = { occ: 0, due: day(1), start: null, title: 'water', notes: 'the pot' };
      issue(first, { a: 'set', id, field: 'series', value: series });
      await world.settle();
      const next = { due: day(2), start: null, title: 'water', notes: 'the pot', series: null };
      const ends: Action = { a: 'complete', id, occ: 0, at: 7, next };
      let inverses: readonly Action[] = [];
      await apart(
        () => void ({ inverses } = issue(first, ends)),
        () => void issue(second, ends),
      );
      const fieldsOf = async (wanted: Id) => registersOf(await serverRow(world, wanted));
      const after = await fieldsOf(id);
      assert.deepEqual(
        [after['title'], after['notes'], after['due'], after['series']],
        ['water', 'the pot', day(2), undefined],
      );
      assert.equal((await fieldsOf(completionId(id, 0)))['title'], 'water twice');
      issue(first, ...inverses);
      await world.settle();
      const back = await fieldsOf(id);
      assert.deepEqual(
        [back['title'], back['notes'], back['due'], back['series']],
        ['water twice', 'both pots', day(9), series],
      );
    });
  });

  it('[SYNC-9] completing, taking back and moving dates in every mixture: each occurrence once', async () => {
    for (let seed = 100; seed < 260; seed += 1) {
      await withPair(seed, async ({ world, first, second, apart }) => {
        const random = new SeededRandom(seed);
        const id = addTask(first, { repeat: daily, due: day(1), title: 'water' });
        await world.settle();
        const live = (device: SimulatedDevice) => (): void => {
          const done: Issued[] = [];
          for (let count = random.between(1, 6); count > 0; count -= 1) {
            const occ = fieldOf(replicaOf(device).row(id), 'occ') ?? 0;
            const draw = random.below(6);
            if (draw < 3) done.push(issue(device, complete(id, occ)));
            else if (draw === 3) issue(device, ...(done.pop()?.inverses ?? []));
            else if (draw === 4)
              done.push(issue(device, { a: 'set', id, field: 'due', value: day(random.between(10, 28)) }));
            else
              done.push(issue(device, { a: 'set', id, field: 'title', value: `water ${random.below(9)}` }));
          }
        };
        for (let meeting = 0; meeting < 2; meeting += 1) await apart(live(first), live(second));
      });
    }
  });
});

describe('a disk that is emptied under the running app', () => {
  it('[SYNC-22] gets the whole queue back with the next write, and nothing of it is lost when the app then ends', () =>
    withPair(61, async ({ world, first, later }) => {
      const known = addTask(first);
      await world.settle();
      world.network.setOnline(first, false);
      const made = Array.from({ length: 5 }, () => addTask(first));
      await later(1_000);
      assert.equal(first.contents.outbox.size, made.length);
      first.disk.vanish();
      assert.deepEqual([first.contents.outbox.size, first.contents.rows.size], [0, 0]);
      issue(first, { a: 'set', id: known, field: 'title', value: 'after' });
      await later(1_000);
      assert.equal(first.contents.outbox.size, made.length + 1);
      assert.ok(first.contents.rows.has(known), 'what was confirmed is there as well');
      first.leave();
      first.boot();
      await world.settle();
      await world.check();
      const rows = await world.server.rowsOf(first.actor.personalScope);
      for (const id of made) assert.ok(rows.has(id), 'what waited reached the server');
      assert.equal(fieldOf(rows.get(known), 'title'), 'after');
    }));
});
