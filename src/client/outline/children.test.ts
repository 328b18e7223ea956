// Keeping lists of siblings up when many rows come, go and move at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { createIdSource, inboxId, type Id } from '#core/ids.ts';
import { DeviceReplica } from '#sync/replica/replica.ts';
import type { Row } from '#sync/rows/row.ts';
import { Children } from './children.ts';
import { isShown } from '#sync/rows/row-reading.ts';

const COUNT = 600;
const PAGE = 100;

function world() {
  let seed = 7;
  const fill = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = (seed = (seed * 75 + 74) % 65_537) & 0xff;
  };
  const newId = createIdSource({ now: () => 1, random: fill });
  const scope = newId();
  const meta = {
    device: newId(),
    deviceNumber: 1,
    scope,
    account: 0,
    seq: 0,
    acked: 0,
    cursors: {},
    clockOffsetMs: 0,
  };
  const clock = { now: () => 1, monotonic: () => 1 };
  const replica = new DeviceReplica(meta, [], {
    checks: registerChecks,
    clock,
    random: { fill, fraction: () => 0 },
  });
  const children = new Children(replica);
  replica.subscribe((changes) => children.apply(changes));
  const parent = inboxId(scope);
  const rows = Array.from({ length: COUNT }, (_, at): Row => {
    const place = { parent, key: `a${String(at).padStart(4, '0')}` };
    const fields = { title: `${at}`, place, ...(at % 5 === 0 ? { status: { done: 1 } } : {}) };
    return {
      id: newId(),
      type: 'task',
      scope,
      version: 1,
      fields,
      stamp: [1, 1, 0, at],
      createdAt: 1,
      updatedAt: 1,
    };
  });
  return { replica, children, parent, rows };
}

function pagesOf(rows: readonly Row[]): Row[][] {
  return Array.from({ length: rows.length / PAGE }, (_, at) => rows.slice(at * PAGE, (at + 1) * PAGE));
}

function assertAsReplica({
  replica,
  children,
  parent,
}: {
  replica: DeviceReplica;
  children: Children;
  parent: Id;
}): void {
  const shown = replica.children(parent).filter(isShown);
  const list = children.of(parent);
  assert.deepEqual(
    list.items.map(({ id }) => id),
    shown.map(({ id }) => id),
  );
  assert.equal(list.done, shown.filter((row) => row.fields.status !== undefined).length);
}

describe('lists of siblings', () => {
  for (const [order, arrange] of [
    ['in order', (rows: Row[]) => pagesOf(rows)],
    ['the last ones first', (rows: Row[]) => pagesOf(rows).toReversed()],
    ['interleaved', (rows: Row[]) => pagesOf(rows.map((_, at) => rows[(at * 7) % COUNT] as Row))],
  ] as const) {
    test(`pages that arrive ${order} join the list already there`, () => {
      const subject = world();
      for (const page of arrange(subject.rows)) {
        subject.replica.load(page);
        assertAsReplica(subject);
      }
      assert.equal(subject.children.of(subject.parent).items.length, COUNT);
    });
  }

  test('many that are deleted, completed and moved at once leave, change and stand where they belong', () => {
    const subject = world();
    for (const page of pagesOf(subject.rows)) subject.replica.load(page);
    assertAsReplica(subject);
    const some = subject.rows.slice(100, 240);
    subject.replica.issue(some.map(({ id }) => ({ a: 'delete', id }) as const));
    assertAsReplica(subject);
    subject.replica.issue(some.map(({ id }) => ({ a: 'restore', id }) as const));
    assertAsReplica(subject);
    const place = { parent: subject.parent, at: 'start' } as const;
    subject.replica.issue(some.map(({ id }) => ({ a: 'place', id, place }) as const));
    assertAsReplica(subject);
  });
});
