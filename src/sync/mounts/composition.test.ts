// The composition over a real replica: every shared list once, wherever its mount and the folders around it are, and what
// listeners are told adds up to what is there.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deriveId, inboxId, listsRoot, memberId, mountId, type Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { registerChecks } from '#wire/registers.ts';
import { createFacade } from '../exchange/facade.ts';
import { receive, receivePage } from '../exchange/taking-in.ts';
import { DeviceReplica } from '../replica/replica.ts';
import type { Replica, RowChange } from '../replica/replica-types.ts';
import { isTrashed, placeOf } from '../rows/row-reading.ts';
import { asRow, fieldOf, type Fields, type Row } from '../rows/row.ts';
import { placeShared } from './issuing.ts';

const A = deriveId('test', 'personal');
const idOf = (name: string): Id => deriveId('test', name);
const scopeOf = (list: string): Id => deriveId('test scope', list);
const INBOX = inboxId(A);
let version = 0;

function row(id: Id, type: EntityType, fields: Fields, scope: Id = A): Row {
  version += 1;
  const stamp = [version, version, 9, version] as const;
  return asRow({ id, type, fields, scope, version, stamp, createdAt: 1, updatedAt: version });
}

const folder = (name: string, parent: Id = listsRoot(A), more: Fields = {}): Row =>
  row(idOf(name), 'list', { listType: 'folder', name, place: { parent, key: 'a5' }, ...more });
const shared = (name: string, more: Fields = {}): Row =>
  row(
    idOf(name),
    'list',
    { listType: 'list', name, place: { parent: scopeOf(name), key: 'a0' }, ...more },
    scopeOf(name),
  );
const mount = (name: string, parent: Id = listsRoot(A), key = 'a7', more: Fields = {}): Row =>
  row(mountId(A, idOf(name)), 'mount', { of: idOf(name), place: { parent, key }, ...more });
const member = (name: string, account: number): Row =>
  row(memberId(scopeOf(name), account), 'member', { account, role: 'member', name: 'Ann' }, scopeOf(name));
const trashed: Fields = { del: { at: 1, by: 1 } };

class Device {
  readonly stored: DeviceReplica;
  readonly replica: Replica;
  readonly told: RowChange[][] = [];

  constructor(...rows: readonly Row[]) {
    const meta = {
      device: idOf('device'),
      deviceNumber: 3,
      scope: A,
      account: 7,
      seq: 0,
      acked: 0,
      cursors: { [A]: { generation: 'g', version: 1_000_000 } },
      clockOffsetMs: 0,
    };
    let ids = 0;
    const fill = (bytes: Uint8Array): void => {
      ids += 1;
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = (ids * 31 + at * 7) & 255;
    };
    const ports = {
      checks: registerChecks,
      clock: { now: () => 1e9, monotonic: () => 1e9 },
      random: { fill, fraction: () => 0.5 },
    };
    this.stored = new DeviceReplica(meta, [], ports);
    this.stored.load([
      row(INBOX, 'list', { listType: 'inbox', place: { parent: listsRoot(A), key: 'a0' } }),
      ...rows,
    ]);
    this.stored.loaded();
    this.replica = createFacade(this.stored, () => undefined);
    this.replica.learnToPlace(placeShared);
    this.replica.subscribe((changes) => this.told.push([...changes]));
  }

  hear(...rows: readonly Row[]): void {
    receivePage(this.stored, rows);
  }

  lose(scope: Id, ...gone: readonly Id[]): void {
    const change = { scope, generation: 'g', to: 1_000_001, rows: [], gone, more: false, digest: null };
    receive(this.stored, {
      results: [],
      changes: [change as never],
      left: [],
      deviceNumber: 3,
      clockOffsetMs: 0,
    });
  }

  leave(list: string): void {
    receive(this.stored, {
      results: [],
      changes: [],
      left: [scopeOf(list)],
      deviceNumber: 3,
      clockOffsetMs: 0,
    });
  }

  /** Names of the lists that are there, indented. */
  tree(parent: Id = listsRoot(A), level = 0): string[] {
    return this.replica.children(parent).flatMap((child) => {
      assert.equal(child.type, 'list', 'no mounts');
      if (isTrashed(child) || child.id === INBOX) return [];
      return ['  '.repeat(level) + (fieldOf(child, 'name') ?? ''), ...this.tree(child.id, level + 1)];
    });
  }
}

describe('where shared lists stand', () => {
  it('[SHARE-80] is where their mounts are, among own lists by key', () => {
    const own = row(idOf('own'), 'list', {
      listType: 'list',
      name: 'own',
      place: { parent: listsRoot(A), key: 'a6' },
    });
    const device = new Device(
      folder('F'),
      own,
      shared('L'),
      mount('L', idOf('F')),
      shared('M'),
      mount('M', A, 'a55'),
    );
    assert.deepEqual(device.tree(), ['F', '  L', 'M', 'own']);
    assert.deepEqual(placeOf(device.replica.row(idOf('L'))), { parent: idOf('F'), key: 'a7' });
    const [list] = device.replica.children(scopeOf('L'));
    assert.equal(list, device.replica.row(idOf('L')), 'the list of a scope, as it is seen');
  });

  it('[SHARE-81] is nowhere for a mount without its list, whether or not another list is shared', () => {
    for (const others of [[], [shared('M'), mount('M')]]) {
      const device = new Device(folder('F'), mount('L', idOf('F')), mount('K'), member('L', 1), ...others);
      assert.deepEqual(device.tree(), others.length === 0 ? ['F'] : ['F', 'M']);
      assert.deepEqual(device.replica.children(idOf('F')), []);
      for (const { type } of device.replica.all()) assert.equal(type, 'list');
    }
  });

  it('[SHARE-81] names members where they are asked for, and tells of them as they are', () => {
    const device = new Device(shared('L'), member('L', 1));
    device.hear(member('L', 2), member('M', 3));
    assert.deepEqual(
      device.told.flat().map(({ after }) => after?.type),
      ['member', 'member'],
    );
    const accounts = device.replica.members(scopeOf('L')).map(({ fields }) => fields.account);
    assert.deepEqual(new Set(accounts), new Set([1, 2]));
    device.leave('L');
    assert.deepEqual(device.replica.members(scopeOf('L')), []);
  });

  it('[SHARE-82] is the end of the top level without a mount, always in the same order', () => {
    const device = new Device(shared('M'), shared('L'), folder('F'));
    const names = ['L', 'M'].toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    assert.deepEqual(device.tree(), ['F', ...names]);
  });

  it('[SHARE-83] is the nearest folder that is there: above a trashed one, a purged one, and where folders form a circle', () => {
    const nested = [folder('F'), folder('G', idOf('F')), shared('L'), mount('L', idOf('G'))];
    const device = new Device(...nested);
    assert.deepEqual(device.tree(), ['F', '  G', '    L']);
    device.hear(folder('G', idOf('F'), trashed));
    assert.deepEqual(device.tree(), ['F', '  L']);
    device.hear(folder('F', listsRoot(A), trashed));
    assert.deepEqual(device.tree(), ['L']);
    device.hear(folder('F'));
    assert.deepEqual(device.tree(), ['F', '  L']);
    device.lose(A, idOf('G'));
    assert.deepEqual(device.tree(), ['F', 'L'], 'nothing says where it was');
    device.hear(folder('G', idOf('H')), folder('H', idOf('G')));
    assert.equal(device.tree().filter((line) => line.trim() === 'L').length, 1);
    device.hear(
      mount('L', idOf('own')),
      row(idOf('own'), 'list', { listType: 'list', place: { parent: A, key: 'a1' } }),
    );
    assert.deepEqual(device.tree().at(-1), 'L', 'no list holds lists');
  });

  it('[SHARE-87] counts as archived if its person hides it', () => {
    const device = new Device(shared('L'), mount('L', A, 'a7', { hiddenAt: 5 }));
    assert.equal(fieldOf(device.replica.row(idOf('L')), 'archivedAt'), 5);
    device.hear(shared('L', { archivedAt: 3 }));
    assert.equal(fieldOf(device.replica.row(idOf('L')), 'archivedAt'), 3);
  });
});

describe('what listeners are told', () => {
  it('[SHARE-84] is of the list if its mount or its folder changes, and once', () => {
    const device = new Device(folder('F'), shared('L'), mount('L', idOf('F')));
    const before = device.replica.row(idOf('L'));
    device.hear(mount('L', listsRoot(A)));
    const after = device.replica.row(idOf('L'));
    assert.deepEqual(device.told.splice(0), [[{ id: idOf('L'), before, after }]]);
    device.hear(mount('L', idOf('F')));
    device.told.length = 0;
    device.hear(folder('F', A, trashed));
    assert.deepEqual(new Set(device.told.flat().map(({ id }) => id)), new Set([idOf('F'), idOf('L')]));
  });

  it('[SHARE-84] leaves rows the same objects where nothing differs', () => {
    const device = new Device(folder('F'), shared('L'), mount('L', idOf('F')));
    const before = device.replica.row(idOf('L'));
    assert.equal(device.replica.row(idOf('L')), before);
    device.hear(mount('L', idOf('F')), folder('G'));
    assert.equal(device.replica.row(idOf('L')), before);
    assert.deepEqual(
      device.told.flat().map(({ id }) => id),
      [idOf('G')],
    );
    assert.equal(device.replica.children(idOf('F'))[0], before);
    assert.ok([...device.replica.all()].includes(before as Row));
  });

  it('[SHARE-85] is what an issue answers, with the verdict of every action that was asked for', () => {
    const device = new Device(folder('F'), shared('L'));
    const actions = [
      { a: 'set', id: idOf('F'), field: 'name', value: 'Home' },
      { a: 'place', id: idOf('L'), place: { parent: idOf('F') } },
      { a: 'place', id: idOf('nothing'), place: { parent: idOf('F') } },
    ] as const;
    const issued = device.replica.issue(actions);
    assert.deepEqual(issued.verdicts, ['ok', 'ok', 'gone']);
    assert.deepEqual(
      issued.operations.map(({ a, scope }) => [a, scope]),
      [
        ['set', A],
        ['create', A],
        ['place', A],
      ],
    );
    assert.deepEqual(device.tree(), ['Home', '  L']);
    assert.ok(
      issued.changes.some(({ id, after }) => id === idOf('L') && placeOf(after)?.parent === idOf('F')),
    );
    assert.ok(device.replica.issue(issued.inverses).verdicts.every((verdict) => verdict === 'ok'));
    assert.deepEqual(device.tree(), ['F', 'L']);
  });

  it('[SHARE-81] [SHARE-83] [SHARE-84] adds up to what is there after anything, and each list that is held stands once', () => {
    for (let seed = 1; seed <= 150; seed += 1) {
      let state = seed;
      const random = (below: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
      const device = new Device();
      const known = new Map([...device.replica.all()].map((each) => [each.id, each]));
      device.replica.subscribe((changes) => {
        for (const { id, before, after } of changes) {
          if ((after ?? before)?.type === 'member') continue;
          assert.equal(known.get(id), before, `seed ${seed}: was known so`);
          if (after === undefined) known.delete(id);
          else known.set(id, after);
        }
      });
      const lists = ['L', 'M', 'N'];
      const folders = ['F', 'G', 'H'];
      const somewhere = () => pick([listsRoot(A), ...folders.map(idOf)]);
      for (let step = 0; step < 30; step += 1) {
        const [list, name] = [pick(lists), pick(folders)];
        pick([
          () => device.hear(shared(list)),
          () => device.hear(mount(list, somewhere(), pick(['a1', 'a6', 'a9']))),
          () =>
            device.hear(folder(name, pick([listsRoot(A), idOf('F'), idOf('G')]), pick([{}, {}, trashed]))),
          () => device.hear(member(list, random(3) + 1)),
          () => device.leave(list),
          () => device.lose(A, idOf(name)),
          () => device.replica.issue([{ a: 'place', id: idOf(list), place: { parent: somewhere() } }]),
          () => device.replica.issue([{ a: 'delete', id: idOf(name) }]),
          () => device.replica.issue([{ a: 'restore', id: idOf(name) }]),
        ])();
        const held = lists.filter((each) => device.stored.row(idOf(each)) !== undefined);
        const standing = device.tree().map((line) => line.trim());
        for (const each of lists)
          assert.equal(
            standing.filter((other) => other === each).length,
            held.includes(each) ? 1 : 0,
            `seed ${seed}, ${each}`,
          );
        const shown = [...device.replica.all()];
        assert.deepEqual(new Set(shown), new Set(known.values()), `seed ${seed}`);
        for (const each of shown) assert.equal(device.replica.row(each.id), each);
      }
    }
  });
});
