// “My order” over a real replica: what listeners are told adds up, and others’ moves leave the person’s order as it is.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateKeyBetween } from 'fractional-indexing';
import { deriveId, listsRoot, mountId, type Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { registerChecks } from '#wire/registers.ts';
import { createFacade } from '../exchange/facade.ts';
import { receivePage } from '../exchange/taking-in.ts';
import { DeviceReplica } from '../replica/replica.ts';
import { asRow, fieldOf, type Fields, type Row } from '../rows/row.ts';
import { placeOf } from '../rows/row-reading.ts';
import { OwnOrder } from './own-order.ts';
import { placeOwn } from './own-placing.ts';

const A = deriveId('test', 'personal');
const B = deriveId('test', 'shared');
const LIST = deriveId('test', 'list');
let version = 0;

function row(id: Id, type: EntityType, fields: Fields, scope: Id = B): Row {
  version += 1;
  const stamp = [version, version, 9, version] as const;
  return asRow({ id, type, fields, scope, version, stamp, createdAt: 1, updatedAt: version });
}

const idOf = (name: string): Id => deriveId('test', name);
const task = (name: string, key: string, parent: Id = LIST): Row =>
  row(idOf(name), 'task', { title: name, place: { parent, key } });

function device() {
  const meta = {
    device: idOf('device'),
    deviceNumber: 3,
    scope: A,
    account: 7,
    seq: 0,
    acked: 0,
    cursors: { [A]: { generation: 'g', version: 1 }, [B]: { generation: 'g', version: 1 } },
    clockOffsetMs: 0,
  };
  let ids = 0;
  const fill = (bytes: Uint8Array): void => {
    ids += 1;
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = (ids * 31 + at * 7) & 255;
  };
  const stored = new DeviceReplica(meta, [], {
    checks: registerChecks,
    clock: { now: () => 1e9, monotonic: () => 1e9 },
    random: { fill, fraction: () => 0.5 },
  });
  const ownSort = 'my-order';
  stored.load([
    row(LIST, 'list', { listType: 'list', name: 'L', place: { parent: B, key: 'a0' } }),
    row(mountId(A, LIST), 'mount', { of: LIST, place: { parent: listsRoot(A), key: 'a0' }, ownSort }, A),
  ]);
  stored.loaded();
  const replica = createFacade(stored, () => undefined);
  replica.learnToPlace(placeOwn, (rows) => new OwnOrder(rows));
  return { stored, replica };
}

const orderOf = (replica: ReturnType<typeof device>['replica'], parent = LIST) =>
  replica.children(parent).map((each) => fieldOf(each, 'title') ?? '');

describe('an order of one’s own', () => {
  it('[SHARE-197] writes the person’s own row, and puts apart what has one key', () => {
    const { stored, replica } = device();
    receivePage(stored, [task('a', 'a1'), task('b', 'a1'), task('c', 'a1')]);
    const [first, second, third] = orderOf(replica);
    replica.issue([{ a: 'place', id: idOf(third ?? ''), place: { parent: LIST, after: idOf(first ?? '') } }]);
    assert.deepEqual(orderOf(replica), [first, third, second]);
    for (const { scope } of stored.pending) assert.equal(scope, A);
    replica.issue([{ a: 'place', id: idOf(second ?? ''), place: { parent: LIST, at: 'start' } }], {
      forAll: true,
    });
    assert.equal(stored.pending.at(-1)?.scope, B, 'for everybody, where that is asked for');
  });

  it('[SHARE-197] takes any number of moves to one spot', () => {
    const { stored, replica } = device();
    receivePage(
      stored,
      ['a', 'b', 'c'].map((name, at) => task(name, `a${at}`)),
    );
    for (let turn = 0; turn < 700; turn += 1) {
      const [, second, third] = orderOf(replica);
      const move = {
        a: 'place',
        id: idOf(third ?? ''),
        place: { parent: LIST, before: idOf(second ?? '') },
      } as const;
      assert.deepEqual(replica.issue([move]).verdicts, ['ok'], `turn ${turn}`);
      assert.equal(orderOf(replica)[1], third);
    }
  });

  it('[SHARE-198] stays as it is but for what others move, and what listeners are told adds up', () => {
    for (let seed = 1; seed <= 150; seed += 1) {
      let state = seed;
      const random = (below: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const { stored, replica } = device();
      const names = [...'abcdefgh'];
      receivePage(
        stored,
        names.map((name, at) => task(name, `a${at}`)),
      );
      const known = new Map([...replica.all()].map((each) => [each.id, each]));
      replica.subscribe((changes) => {
        for (const { id, before, after } of changes) {
          assert.equal(known.get(id), before, `seed ${seed}: was known so`);
          if (after === undefined) known.delete(id);
          else known.set(id, after);
        }
      });
      const placed = new Set<string>();
      for (let step = 0; step < 30; step += 1) {
        const before = orderOf(replica);
        const name = names[random(names.length)] as string;
        const other = names[random(names.length)] as string;
        if (random(2) === 0 && name !== other) {
          replica.issue([{ a: 'place', id: idOf(name), place: { parent: LIST, after: idOf(other) } }]);
          placed.add(name);
          const now = orderOf(replica);
          assert.equal(now.indexOf(name), now.indexOf(other) + 1, `seed ${seed}: it went where it was put`);
          assert.deepEqual(
            now.filter((each) => each !== name),
            before.filter((each) => each !== name),
            `seed ${seed}`,
          );
        } else {
          // Somebody else moves it, in the order that everybody sees.
          const keys = stored.children(LIST).map((each) => placeOf(each)?.key ?? '');
          const at = random(keys.length);
          const low = keys[at] ?? null;
          const high = keys.find((key) => low !== null && key > low) ?? null;
          receivePage(stored, [task(name, generateKeyBetween(low, high))]);
          const still = (order: readonly string[]) => order.filter((each) => each !== name);
          assert.deepEqual(still(orderOf(replica)), still(before), `seed ${seed}`);
          if (placed.has(name))
            assert.deepEqual(orderOf(replica), before, `seed ${seed}: placed by the person`);
        }
        assert.deepEqual(new Set(replica.all()), new Set(known.values()), `seed ${seed}`);
        for (const each of replica.all()) assert.equal(replica.row(each.id), each, `seed ${seed}`);
      }
    }
  });
});
