// The authorisation function, case by case: who, what, and the answer. What is not allowed here is allowed nowhere.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import { fixedRegisters, type EntityType } from '#core/model.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { asRow, type Fields, type Row } from '#sync/rows/row.ts';
import {
  authorise,
  type AccountActor,
  type Actor,
  type Decision,
  type Role,
  type RouteRule,
} from './authorise.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as Id;
const PERSONAL = id(1);
const SHARED = id(2);
const FOREIGN = id(3);
const THING = id(4);

function actorWith(shared: Role): AccountActor {
  const roles = new Map<Id, Role>([
    [PERSONAL, 'owner'],
    [SHARED, shared],
  ]);
  return { type: 'account', account: 7, session: id(9), kind: 'web', personalScope: PERSONAL, roles };
}
const owner = actorWith('owner');
const member = actorWith('member');
const anonymous: Actor = { type: 'anonymous' };

const operation = (scope: Id, action: Action): Operation => ({
  q: 1,
  u: id(100),
  scope,
  t: 0,
  b: 0,
  ...action,
});
const rowOf = (
  type: EntityType,
  options: { readonly scope?: Id; readonly id?: Id; readonly fields?: Fields } = {},
): Row =>
  asRow({
    id: options.id ?? THING,
    type,
    scope: options.scope ?? PERSONAL,
    version: 1,
    fields: options.fields ?? {},
    stamp: [1, 0, 1, 1],
    createdAt: 0,
    updatedAt: 0,
  });

const answer = (decision: Decision) => (decision.allowed ? 'allowed' : decision.as);
const askOperation = (actor: Actor, asked: Operation, row?: Row) =>
  answer(authorise(actor, { type: 'operation', operation: asked, row }));

const TYPES = Object.keys(fixedRegisters) as EntityType[];

describe('authorise: routes', () => {
  const cases: readonly (readonly [RouteRule, Actor, boolean, string])[] = [
    [{ type: 'anybody' }, anonymous, false, 'allowed'],
    [{ type: 'anybody' }, owner, false, 'allowed'],
    [{ type: 'this-machine' }, anonymous, true, 'allowed'],
    [{ type: 'this-machine' }, owner, false, 'hidden'],
    [{ type: 'account', kind: 'web' }, owner, false, 'allowed'],
    [{ type: 'account', kind: 'web' }, anonymous, true, 'unauthenticated'],
    [{ type: 'account', kind: 'api' }, owner, false, 'unauthenticated'],
    [{ type: 'account', kind: 'web' }, { ...owner, kind: 'api' }, false, 'unauthenticated'],
    [{ type: 'account', kind: 'web' }, { ...owner, kind: 'device' }, false, 'unauthenticated'],
    [{ type: 'account', kind: 'api' }, { ...owner, kind: 'api' }, false, 'allowed'],
  ];
  for (const [rule, actor, fromThisMachine, expected] of cases) {
    const who = actor.type === 'account' ? actor.kind : 'nobody';
    test(`${JSON.stringify(rule)} for ${who}${fromThisMachine ? ' here' : ''}: ${expected}`, () => {
      assert.equal(answer(authorise(actor, { type: 'route', rule, fromThisMachine })), expected);
    });
  }
});

describe('authorise: scopes and sessions', () => {
  for (const type of ['scope.read', 'scope.write'] as const) {
    test(`${type}: own and shared ones, and nothing else shows`, () => {
      assert.equal(answer(authorise(owner, { type, scope: PERSONAL })), 'allowed');
      assert.equal(answer(authorise(member, { type, scope: SHARED })), 'allowed');
      assert.equal(answer(authorise(owner, { type, scope: FOREIGN })), 'hidden');
      assert.equal(answer(authorise(anonymous, { type, scope: PERSONAL })), 'unauthenticated');
    });
  }

  test('only the owner of a scope removes for good what is in its trash', () => {
    const asked = (actor: Actor, scope: Id) => answer(authorise(actor, { type: 'scope.purge', scope }));
    assert.equal(asked(owner, PERSONAL), 'allowed');
    assert.equal(asked({ ...owner, access: 'read' }, PERSONAL), 'forbidden');
    assert.equal(asked(member, SHARED), 'forbidden');
    assert.equal(asked(owner, FOREIGN), 'hidden');
    assert.equal(asked(anonymous, PERSONAL), 'unauthenticated');
  });

  test('a session that belongs to somebody else looks like one that does not exist', () => {
    const other = authorise(owner, { type: 'session', owner: 8 });
    assert.deepEqual(other, authorise(owner, { type: 'session', owner: undefined }));
    assert.equal(answer(other), 'hidden');
    assert.equal(answer(authorise(owner, { type: 'session', owner: 7 })), 'allowed');
    assert.equal(answer(authorise(anonymous, { type: 'session', owner: 7 })), 'unauthenticated');
  });
});

describe('authorise: operations', () => {
  const everyAction: readonly Action[] = [
    { a: 'create', id: THING, type: 'task', fields: {} },
    { a: 'set', id: THING, field: 'title', value: 'x' },
    { a: 'place', id: THING, place: { parent: PERSONAL } },
    { a: 'delete', id: THING },
    { a: 'restore', id: THING },
    { a: 'complete', id: THING, occ: 0, at: 0, next: null },
    { a: 'reopen', id: THING, occ: 0, previous: null },
    { a: 'reoffer', id: THING, type: 'task', fields: {}, at: 0, times: {}, createdAt: 0 },
  ];

  for (const action of everyAction) {
    test(`${action.a}: in own and shared scopes only`, () => {
      assert.equal(askOperation(anonymous, operation(PERSONAL, action)), 'unauthenticated');
      assert.equal(askOperation(owner, operation(FOREIGN, action)), 'hidden');
      const row = action.a === 'create' ? undefined : rowOf('task');
      assert.equal(askOperation(owner, operation(PERSONAL, action), row), 'allowed');
      const shared = action.a === 'create' ? undefined : rowOf('task', { scope: SHARED });
      assert.equal(askOperation(member, operation(SHARED, action), shared), 'allowed');
    });

    test(`${action.a}: not through a scope that the row is not in`, () => {
      assert.equal(
        askOperation(owner, operation(PERSONAL, action), rowOf('task', { scope: SHARED })),
        'hidden',
      );
      assert.equal(
        askOperation(owner, operation(PERSONAL, action), rowOf('task', { scope: FOREIGN })),
        'hidden',
      );
    });

    test(`${action.a}: on the record of a completed occurrence only as what brings it back`, () => {
      const expected = action.a === 'create' || action.a === 'reoffer' ? 'allowed' : 'forbidden';
      assert.equal(askOperation(owner, operation(PERSONAL, action), rowOf('completion')), expected);
    });
  }

  for (const type of TYPES) {
    test(`${type}: created in the own scope`, () => {
      assert.equal(
        askOperation(owner, operation(PERSONAL, { a: 'create', id: THING, type, fields: {} })),
        type === 'member' ? 'forbidden' : 'allowed',
      );
    });

    test(`${type}: what creation fixes stays`, () => {
      for (const field of fixedRegisters[type])
        assert.equal(
          askOperation(owner, operation(PERSONAL, { a: 'set', id: THING, field, value: null }), rowOf(type)),
          'forbidden',
        );
    });
  }

  test('what is one person’s own does not go into a shared scope', () => {
    for (const type of ['mine', 'setting', 'mount'] as const)
      assert.equal(
        askOperation(owner, operation(SHARED, { a: 'create', id: THING, type, fields: {} })),
        'forbidden',
      );
  });

  for (const action of everyAction)
    test(`${action.a}: not on the row of a member, which only the server writes`, () => {
      const row = rowOf('member', { scope: SHARED });
      assert.equal(askOperation(owner, operation(SHARED, action), row), 'forbidden');
    });

  test('only the server gives a list its mail address', () => {
    const set: Action = { a: 'set', id: THING, field: 'mailAddress', value: 'inbox-1' };
    assert.equal(askOperation(owner, operation(PERSONAL, set), rowOf('list')), 'forbidden');
    const create: Action = {
      a: 'create',
      id: THING,
      type: 'list',
      fields: { listType: 'list', mailAddress: 'inbox-1' },
    };
    assert.equal(askOperation(owner, operation(PERSONAL, create)), 'forbidden');
    const task: Action = { a: 'set', id: THING, field: 'mailAddress', value: 'x' };
    assert.equal(
      askOperation(owner, operation(PERSONAL, task), rowOf('task')),
      'allowed',
      'whether a task has one is not asked here',
    );
  });

  test('the Inbox: one, in the own scope, with its derived id, and for ever', () => {
    const inbox = inboxId(PERSONAL);
    const create = (scope: Id, made: Id, listType: string): Operation =>
      operation(scope, { a: 'create', id: made, type: 'list', fields: { listType } });
    assert.equal(askOperation(owner, create(PERSONAL, inbox, 'inbox')), 'allowed');
    assert.equal(askOperation(owner, create(PERSONAL, THING, 'inbox')), 'forbidden');
    assert.equal(askOperation(owner, create(PERSONAL, inbox, 'list')), 'forbidden');
    assert.equal(askOperation(owner, create(SHARED, inboxId(SHARED), 'inbox')), 'forbidden');
    const row = rowOf('list', { id: inbox, fields: { listType: 'inbox' } });
    assert.equal(askOperation(owner, operation(PERSONAL, { a: 'delete', id: inbox }), row), 'forbidden');
    assert.equal(
      askOperation(owner, operation(PERSONAL, { a: 'delete', id: inbox }), undefined),
      'forbidden',
    );
    assert.equal(
      askOperation(owner, operation(PERSONAL, { a: 'set', id: inbox, field: 'name', value: 'In' }), row),
      'allowed',
    );
  });

  test('the list a shared scope is about is deleted by its owner only; what is in it by any member', () => {
    const root = rowOf('list', {
      scope: SHARED,
      fields: { listType: 'list', place: { parent: SHARED, key: 'a0' } },
    });
    const inside = rowOf('task', { scope: SHARED, fields: { place: { parent: id(50), key: 'a0' } } });
    const remove = operation(SHARED, { a: 'delete', id: THING });
    assert.equal(askOperation(owner, remove, root), 'allowed');
    assert.equal(askOperation(member, remove, root), 'forbidden');
    assert.equal(askOperation(member, remove, inside), 'allowed');
  });

  test('[SHARE-5] nobody moves that list, only its owner brings it back, and there is no other list', () => {
    const fields = { listType: 'list', place: { parent: SHARED, key: 'a0' } };
    const root = rowOf('list', { scope: SHARED, fields });
    const move = operation(SHARED, { a: 'place', id: THING, place: { parent: PERSONAL } });
    const back = operation(SHARED, { a: 'restore', id: THING });
    const another = operation(SHARED, { a: 'create', id: THING, type: 'list', fields: { listType: 'list' } });
    const folder = operation(SHARED, {
      a: 'create',
      id: THING,
      type: 'list',
      fields: { listType: 'folder' },
    });
    for (const each of [move, another, folder]) {
      assert.equal(askOperation(owner, each, each === move ? root : undefined), 'forbidden');
      assert.equal(askOperation(member, each, each === move ? root : undefined), 'forbidden');
    }
    assert.equal(askOperation({ ...owner, isServer: true }, move, root), 'allowed');
    assert.equal(askOperation(owner, back, root), 'allowed');
    assert.equal(askOperation(member, back, root), 'forbidden');
  });

  test('[SHARE-6] who deleted it before it was shared does not take it from the others', () => {
    const root = rowOf('list', { scope: SHARED, fields: { listType: 'list' } });
    const remove = operation(SHARED, { a: 'delete', id: THING });
    const asked = (stated: Id) =>
      answer(authorise(owner, { type: 'operation', operation: remove, row: root, stated }));
    assert.equal(asked(SHARED), 'allowed');
    assert.equal(asked(PERSONAL), 'forbidden');
  });

  test('[SHARE-7] after a restore any member brings back the list of the scope, and no other one', () => {
    const offer = (target: Id) =>
      operation(SHARED, {
        a: 'reoffer',
        id: target,
        type: 'list',
        fields: { listType: 'list' },
        at: 0,
        times: {},
        createdAt: 0,
      });
    const asked = (target: Id) =>
      answer(authorise(member, { type: 'operation', operation: offer(target), row: undefined, root: THING }));
    assert.equal(asked(THING), 'allowed');
    assert.equal(asked(id(51)), 'forbidden');
  });

  test('[SHARE-4] rows of members are written by the server alone', () => {
    const row = rowOf('member', { scope: SHARED, fields: { account: 8 } });
    const rename = operation(SHARED, { a: 'set', id: THING, field: 'name', value: 'Root' });
    assert.equal(askOperation(owner, rename, row), 'forbidden');
    assert.equal(askOperation({ ...owner, isServer: true }, rename, row), 'allowed');
  });

  test('[SHARE-165] a comment is its author’s: others do not change it, the owner of the list takes it away', () => {
    const commentOf = (author: number) =>
      rowOf('comment', { scope: SHARED, fields: { author, text: 'x', place: { parent: THING, key: 'a0' } } });
    const set = operation(SHARED, { a: 'set', id: THING, field: 'text', value: 'y' });
    const remove = operation(SHARED, { a: 'delete', id: THING });
    const back = operation(SHARED, { a: 'restore', id: THING });
    const away = operation(SHARED, { a: 'place', id: THING, place: { parent: id(50) } });
    for (const each of [set, remove, back, away]) {
      assert.equal(askOperation(member, each, commentOf(7)), 'allowed', `own ${each.a}`);
      assert.equal(askOperation(member, each, commentOf(8)), 'forbidden', `${each.a} of another`);
      assert.equal(
        askOperation(owner, each, commentOf(8)),
        each === set ? 'forbidden' : 'allowed',
        `${each.a} by the owner`,
      );
    }
    const made = (author: number) =>
      operation(SHARED, { a: 'create', id: THING, type: 'comment', fields: { text: 'x', author } });
    assert.equal(askOperation(member, made(7)), 'allowed');
    assert.equal(askOperation(member, made(8)), 'forbidden');
  });

  test('[SHARE-295] a comment of another is brought back only as the server has had it', () => {
    const at = (author: number) =>
      rowOf('comment', { scope: SHARED, fields: { author, text: 'x', place: { parent: THING, key: 'a0' } } });
    const offer = (author: number) =>
      operation(SHARED, {
        a: 'reoffer',
        id: THING,
        type: 'comment',
        fields: { text: 'x', author },
        at: 0,
        times: {},
        createdAt: 0,
      });
    const isTaken = (author: number, row?: Row, isProven = false) =>
      authorise(member, { type: 'operation', operation: offer(author), row, isProven }).allowed;
    assert.deepEqual(
      [isTaken(7), isTaken(7, at(7)), isTaken(8), isTaken(8, at(8))],
      [true, true, false, false],
    );
    assert.deepEqual([isTaken(8, undefined, true), isTaken(8, at(8), true)], [true, true]);
    assert.equal(isTaken(7, at(8)), false, 'the comment that is there has another author');
  });

  test('an unknown target is left to the one who applies it', () => {
    assert.equal(
      askOperation(owner, operation(PERSONAL, { a: 'set', id: THING, field: 'of', value: THING })),
      'allowed',
    );
  });
});
