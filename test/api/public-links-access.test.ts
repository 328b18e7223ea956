// What a link permits, and nothing else: every set of permissions against every route and every change of a visitor, links that have
// ended or are paused, ids of other lists, and every kind of operation that the write path knows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { asRow } from '#sync/rows/row.ts';
import { linkPermissions, type LinkMay, type LinkPermission } from '#wire/public-links.ts';
import { operationSchema } from '#wire/sync.ts';
import { entityTypeSchema } from '#wire/values.ts';
import { authorise, type AccountActor, type LinkActor } from '#server/access/authorise.ts';
import { mayOf } from '#server/public-links/links.ts';
import { callLinks, everything, linkedList, makeLink, Visitor } from '../public-links.ts';

const SETS = Array.from({ length: 2 ** linkPermissions.length }, (_, bits) => mayOf(bits));
const nameOf = (may: LinkMay) => linkPermissions.filter((each) => may[each]).join('+') || 'nothing';

/** What a visitor sends, by the permission it needs. */
const CHANGES = [
  ['add', () => ({ do: 'add', key: crypto.randomUUID(), title: 'New' })],
  ['complete', (id) => ({ do: 'complete', id })],
  ['complete', (id) => ({ do: 'reopen', id })],
  ['titles', (id) => ({ do: 'title', id, title: `Pack ${crypto.randomUUID()}` })],
  ['notes', (id) => ({ do: 'notes', id, was: '', notes: `Warm things ${crypto.randomUUID()}` })],
] as const satisfies readonly (readonly [LinkPermission, (id: string) => unknown])[];

/** The calls that only look. */
const LOOKS = ['', '/tasks', '/stream', '/logo'] as const;

describe('the permissions of a public link', () => {
  let world: Awaited<ReturnType<typeof linkedList>>;
  before(async () => {
    world = await linkedList();
  });
  after(() => world.server.close());

  const change = async (may: Partial<LinkMay>, rest: object = {}) => {
    const { ann, list, link } = world;
    await callLinks(ann, list, `POST /${link.id}`, { may, ...rest });
  };

  test('[PUBLIC-2] each of the 32 sets permits exactly what it names, from the next request on', async () => {
    const problems: string[] = [];
    const { id } = await world.visitor.task('Pack');
    for (const may of SETS) {
      await change(may);
      assert.deepEqual((await world.visitor.shown()).may, may);
      for (const [needed, body] of CHANGES) {
        const { status } = await world.visitor.change(body(id));
        if (status !== (may[needed] ? 200 : 403)) problems.push(`${nameOf(may)}: ${needed} → ${status}`);
      }
    }
    assert.deepEqual(problems, []);
  });

  test('[PUBLIC-3] a paused link shows and permits nothing, not even the name of the list, until it goes on', async () => {
    const { visitor } = world;
    await change(everything, { isPaused: true });
    const { id } = { id: 'A'.repeat(22) };
    for (const path of LOOKS) {
      const answer = await visitor.ask(path);
      assert.equal(answer.status, 403, path);
      assert.doesNotMatch(await answer.text(), /Trip|Pack/);
    }
    for (const [, body] of CHANGES) assert.equal((await visitor.change(body(id))).status, 403);
    await change(everything, { isPaused: false });
    assert.equal((await visitor.shown()).name, 'Trip');
  });

  test('[PUBLIC-4] a deleted link is answered like one that never was; the others of the list go on', async () => {
    const { server, ann, list } = world;
    const other = await makeLink(ann, list, { may: everything });
    const visitor = new Visitor(server, other);
    const { id } = await visitor.task('Book a train');
    await callLinks(ann, list, `DELETE /${other.id}`);
    const never = new Visitor(server, { token: 'A'.repeat(43) });
    for (const path of LOOKS) {
      const [deleted, unknown] = [await visitor.ask(path), await never.ask(path)];
      assert.equal(deleted.status, 404, path);
      assert.equal(unknown.status, 404, path);
      assert.equal(await deleted.text(), (await unknown.text()).replaceAll(never.token, other.token));
    }
    for (const [, body] of CHANGES) assert.equal((await visitor.change(body(id))).status, 404);
    assert.equal((await world.visitor.ask()).status, 200);
    // Deleting again is no error.
    const { links } = await callLinks(ann, list, `DELETE /${other.id}`);
    assert.equal(links.length, 1);
  });

  test('[PUBLIC-5] ids hold for one link: those of another link, of the API, or of another list are none', async () => {
    const { server, ann, list, tasks } = world;
    const second = new Visitor(server, await makeLink(ann, list, { may: everything }));
    const elsewhere = await ann.list('Diary');
    await ann.task('Secret', elsewhere);
    const third = new Visitor(server, await makeLink(ann, elsewhere, { may: everything }));
    const bytes = Buffer.from(tasks[1].replaceAll('-', ''), 'hex').toString('base64url');
    const own = (await world.visitor.shown()).tasks.map(({ id }) => id);
    const others = [...(await second.shown()).tasks, ...(await third.shown()).tasks].map(({ id }) => id);
    assert.equal(new Set([...own, ...others]).size, own.length + others.length);
    for (const id of [...others, bytes]) {
      assert.equal((await world.visitor.change({ do: 'title', id, title: 'Mine' })).status, 409);
      const added = { do: 'add', key: crypto.randomUUID(), title: 'Mine', parent: id };
      assert.equal((await world.visitor.change(added)).status, 409);
    }
    assert.equal((await world.visitor.change({ do: 'title', id: tasks[1], title: 'Mine' })).status, 422);
    assert.ok(!(await (await third.ask()).text()).includes('Mine'));
  });

  test('[PUBLIC-2] what is not one of the five changes is refused, and so is a sixth field', async () => {
    const { visitor } = world;
    const { id } = await visitor.task('Book a train');
    const refused: unknown[] = [
      { do: 'delete', id },
      { do: 'move', id, parent: id },
      { do: 'snooze', id },
      { do: 'due', id, due: { on: '2027-01-01' } },
      { do: 'complete', id, next: { due: null, start: null } },
      { do: 'add', key: crypto.randomUUID(), title: 'x', due: { on: '2027-01-01' } },
      { do: 'add', key: crypto.randomUUID(), title: 'x', labels: [] },
      { do: 'add', key: crypto.randomUUID(), title: 'x', assignee: 1 },
      { do: 'add', title: 'x' },
      { do: 'title', id, title: 'x', notes: 'y' },
      { do: 'title', id, title: 7 },
      { do: 'title', id, title: 'x'.repeat(4_001) },
      [],
      null,
      'title',
    ];
    for (const body of refused) assert.equal((await visitor.change(body)).status, 422, JSON.stringify(body));
  });
});

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as Id;
const [SCOPE, LIST, TARGET, LINK] = [id(1), id(2), id(3), id(4)];
const ACTIONS = operationSchema._zod.def.options.map(
  (option) => [...option._zod.def.shape.a._zod.values][0] as Operation['a'],
);
const TYPES = Object.values(entityTypeSchema._zod.def.entries) as EntityType[];

function operationsOf(action: Operation['a'], type: EntityType, scope: Id): readonly Operation[] {
  const head = { q: 1, u: id(100), scope, t: 0, b: 0, id: TARGET };
  const place = { parent: LIST };
  switch (action) {
    case 'create':
      return [
        { ...head, a: action, type, fields: { title: 'x', notes: 'y' }, place },
        { ...head, a: action, type, fields: { title: 'x', due: { on: '2027-01-01' } }, place },
        { ...head, a: action, type, fields: { title: 'x', status: { done: 1 } }, place },
        { ...head, a: action, type, fields: { title: 'x' }, place, createdAt: 1 },
        { ...head, a: action, type, fields: { title: 'x' } },
      ];
    case 'set':
      return [
        'title',
        'notes',
        'due',
        'start',
        'repeat',
        'assignee',
        'status',
        'label:x',
        'meta:x',
        'del',
      ].flatMap((field) => [
        { ...head, a: action, field, value: null },
        { ...head, a: action, field, value: null, only: 1 },
      ]);
    case 'note':
      return [{ ...head, a: action, seed: id(101), update: '', text: '' }];
    case 'place':
      return [{ ...head, a: action, place }];
    case 'complete':
      return [
        { ...head, a: action, occ: 0, at: 0, next: null },
        { ...head, a: action, occ: 0, at: 0, next: { due: null, start: null } },
      ];
    case 'reopen':
      return [
        { ...head, a: action, occ: 0, previous: null },
        { ...head, a: action, occ: 0, previous: { due: null, start: null } },
      ];
    case 'reoffer':
      return [{ ...head, a: action, type, fields: {}, at: 0, times: {}, createdAt: 0 }];
    case 'delete':
    case 'restore':
      return [{ ...head, a: action }];
  }
}

const describeOf = (operation: Operation): string => {
  const field =
    operation.a === 'set' ? ` ${operation.field}${operation.only === undefined ? '' : ' only'}` : '';
  const fields = operation.a === 'create' ? ` ${Object.keys(operation.fields).join(',')}` : '';
  const more =
    operation.a === 'create'
      ? `${operation.place === undefined ? ' nowhere' : ''}${operation.createdAt === undefined ? '' : ' dated'}`
      : '';
  const next = operation.a === 'complete' && operation.next !== null ? ' on' : '';
  const previous = operation.a === 'reopen' && operation.previous !== null ? ' back' : '';
  return `${operation.a}${field}${fields}${more}${next}${previous}`;
};

describe('the one function about visitors', () => {
  const visitor = (may: LinkMay): LinkActor => ({
    type: 'link',
    link: LINK,
    scope: SCOPE,
    list: LIST,
    may: new Set(linkPermissions.filter((each) => may[each])),
  });
  const forVisitor = (may: LinkMay): AccountActor => ({
    type: 'account',
    account: 1,
    session: id(9),
    kind: 'api',
    personalScope: id(10),
    roles: new Map([[SCOPE, 'member']]),
    visitor: visitor(may),
  });
  /** All that is ever permitted, on tasks of the list's scope. */
  const PERMITTED: Readonly<Record<string, LinkPermission>> = {
    'create title,notes': 'add',
    complete: 'complete',
    reopen: 'complete',
    'set title': 'titles',
    'set notes': 'notes',
  };

  test('[PUBLIC-2] of all operations on all kinds of rows it permits five, by the permission that each needs', () => {
    const problems: string[] = [];
    for (const may of SETS)
      for (const scope of [SCOPE, id(11)])
        for (const type of TYPES)
          for (const action of ACTIONS)
            for (const operation of operationsOf(action, type, scope)) {
              const fields = { place: { parent: LIST, key: 'a0' } };
              const stamp = [1, 0, 1, 1] as const;
              const row = asRow({
                id: TARGET,
                type,
                scope,
                version: 1,
                fields,
                stamp,
                createdAt: 0,
                updatedAt: 0,
              });
              const ask = {
                type: 'operation',
                operation,
                row: action === 'create' ? undefined : row,
              } as const;
              const needed =
                type === 'task' && scope === SCOPE ? PERMITTED[describeOf(operation)] : undefined;
              const isRight = needed !== undefined && may[needed];
              for (const actor of [visitor(may), forVisitor(may)])
                if (authorise(actor, ask).allowed !== isRight)
                  problems.push(`${nameOf(may)}: ${describeOf(operation)} ${type}`);
            }
    assert.deepEqual([...new Set(problems)], []);
  });

  test('[PUBLIC-2] a new task never takes the place of a row that is there', () => {
    const [operation] = operationsOf('create', 'task', SCOPE);
    assert.ok(operation);
    const stamp = [1, 0, 1, 1] as const;
    const fields = { place: { parent: LIST, key: 'a0' } };
    const row = asRow({
      id: TARGET,
      type: 'task',
      scope: SCOPE,
      version: 1,
      fields,
      stamp,
      createdAt: 0,
      updatedAt: 0,
    });
    assert.equal(authorise(visitor(everything), { type: 'operation', operation, row }).allowed, false);
  });

  test('[PUBLIC-2] apart from its own list a visitor is nobody', () => {
    const actor = visitor(everything);
    const refused = [
      { type: 'scope.read', scope: SCOPE },
      { type: 'scope.write', scope: SCOPE },
      { type: 'scope.purge', scope: SCOPE },
      { type: 'sharing', what: 'see', scope: SCOPE },
      { type: 'public-links', what: 'see', scope: SCOPE },
      { type: 'session', owner: 1 },
      { type: 'push.subscription', owner: 1 },
      { type: 'link', what: 'look', link: id(12) },
    ] as const;
    for (const ask of refused) assert.equal(authorise(actor, ask).allowed, false, ask.type);
    assert.equal(authorise(actor, { type: 'link', what: 'look', link: LINK }).allowed, true);
    const rule = { type: 'account', kind: 'web' } as const;
    assert.equal(authorise(actor, { type: 'route', rule, fromThisMachine: true }).allowed, false);
    assert.equal(authorise({ type: 'anonymous' }, { type: 'link', what: 'look', link: LINK }).allowed, false);
    assert.equal(
      authorise(forVisitor(everything), { type: 'link', what: 'look', link: LINK }).allowed,
      false,
    );
  });
});
