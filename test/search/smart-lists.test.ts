// Smart lists that are kept up by looking only at what changed, compared after every step with the same lists made afresh.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Children } from '#client/outline/children.ts';
import { Facts } from '#client/outline/row-index.ts';
import { Asking } from '#sync/query/asking.ts';
import { LiveList } from '#client/query/live-list.ts';
import { DayHeadings } from '#client/query/day-headings.ts';
import { SmartLists } from '#client/query/smart-lists.ts';
import { SmartOutline } from '#client/query/smart-outline.ts';
import type { World } from '#sync/query/world.ts';
import { zoneClock } from '#sync/query/slot-test.ts';
import { TaskIndex } from '#sync/query/task-index.ts';
import { deriveId, labelsRoot, mineId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { createFacade } from '#sync/exchange/facade.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { saidAt } from '../dates/said-at.ts';
import { createReplica, SCOPE, START } from '../keystrokes/desk-engine.ts';
import { Timers } from '../keystrokes/timers.ts';
import { fieldOf } from '#sync/rows/row.ts';

const days = new DayHeadings({
  today: Temporal.PlainDate.from('2026-11-27'),
  clock: zoneClock('Asia/Kathmandu'),
  locale: 'en-GB',
  weekStart: 1,
  evening: 18,
});

const QUERIES = [
  '',
  'is:overdue',
  'is:due -is:snoozed sort:due-date',
  'due:>today is:incomplete sort:due-date-desc',
  'in:Work',
  'folder:Home label:red',
  'in:"plan trip" is:leaf',
  'is:complete',
  'is:cleared OR is:snoozed',
  'label:red OR label:blue sort:label',
  'group:Colour -label:blue',
  'has:children disable:nested',
  'is:nested disable:duplicates',
  'is:archived',
  'plan limit:5 sort:title',
  'title:trip sort:alphabetically-desc',
  'due:"this week" OR start:tomorrow',
  'has:snooze created:today',
  'has:block',
  'block:today OR block:<yesterday',
];

interface FullWorld extends World {
  readonly replica: Replica;
  readonly children: Children;
  readonly facts: Facts;
}

/** mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Bench {
  readonly timers = new Timers();
  readonly replica: Replica;
  readonly random: () => number;
  readonly world: FullWorld;
  readonly smart: SmartLists;
  readonly outlines: SmartOutline[] = [];
  readonly lists: Id[];
  readonly tasks: Id[] = [];
  readonly places: Id[];

  constructor(seed: number) {
    this.random = seeded(seed);
    const fill = (bytes: Uint8Array) =>
      bytes.forEach((_, at) => (bytes[at] = Math.floor(this.random() * 256)));
    this.replica = createFacade(createReplica(this.timers, fill), () => undefined);
    const id = (name: string) => deriveId('smart test', name);
    const list = (name: string, fields: object, parent: Id = SCOPE): Action =>
      ({
        a: 'create',
        id: id(name),
        type: 'list',
        fields: { name, listType: 'list', ...fields },
        place: { parent },
      }) as Action;
    const label = (name: string, parent: Id): Action => ({
      a: 'create',
      id: id(name),
      type: 'label',
      fields: { name },
      place: { parent },
    });
    this.replica.issue([
      list('Work', {}),
      list('Home', { listType: 'folder' }),
      list('Garden', {}, id('Home')),
      {
        a: 'create',
        id: id('Colour'),
        type: 'labelGroup',
        fields: { name: 'Colour' },
        place: { parent: labelsRoot(SCOPE) },
      },
      label('red', id('Colour')),
      label('blue', labelsRoot(SCOPE)),
      ...QUERIES.map((query, at) => list(`smart ${at}`, { listType: 'smart', query })),
    ]);
    this.places = [id('Work'), id('Garden')];
    this.lists = QUERIES.map((_, at) => id(`smart ${at}`));
    this.world = this.#worldNow();
    this.smart = new SmartLists(new Asking(this.world));
    this.world.index.readSome(1e9);
    this.smart.begin();
    for (const smart of this.lists) this.smart.list(smart)?.watch();
    this.smart.renew();
    for (const smart of this.lists)
      this.outlines.push(this.#outline(smart, () => this.smart.list(smart), this.world));
    this.replica.subscribe((changes) => {
      this.world.facts.apply(changes);
      this.world.children.apply(changes);
      this.world.index.apply(changes);
      this.smart.apply(changes);
      this.smart.renew();
      this.outlines.forEach((outline) => outline.update(changes, this.smart.takeTouched(outline.list)));
    });
  }

  #worldNow(): FullWorld {
    const { replica } = this;
    const context = () => ({ ...saidAt('Asia/Kathmandu'), now: replica.now() });
    return {
      replica,
      index: new TaskIndex(replica),
      children: new Children(replica),
      facts: new Facts(replica),
      showsSnoozed: () => false,
      people: () => [],
      account: 0,
      context,
    };
  }

  #outline(list: Id, live: () => LiveList | null, world: FullWorld): SmartOutline {
    const { replica, index, children, facts } = world;
    const isCollapsed = (id: Id) => facts.isCollapsed(id);
    return new SmartOutline({
      replica,
      index,
      children,
      isCollapsed,
      list,
      live,
      nested: () => true,
      duplicates: () => true,
      held: () => null,
      days: () => days,
    });
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T;
  }

  /** Everything as if it had just been opened. */
  compare(step: string): void {
    const world = this.#worldNow();
    const asking = new Asking(world);
    this.lists.forEach((id, at) => {
      const row = this.replica.row(id);
      if (!row || fieldOf(row, 'del') !== undefined) return;
      const fresh = new LiveList(asking, fieldOf(row, 'query') ?? '', null);
      fresh.watch();
      fresh.renew();
      const said = `${step}: ${String(fieldOf(row, 'query'))}`;
      const kept = this.smart.list(id);
      assert.deepEqual(kept?.contents(), fresh.contents(), said);
      assert.equal(kept?.count, fresh.count, said);
      const outline = this.outlines[at] as SmartOutline;
      const wanted = this.#outline(id, () => fresh, world);
      const lines = (one: SmartOutline) =>
        Array.from({ length: one.length }, (_, index) => `${one.levelAt(index)} ${one.lineAt(index)}`);
      assert.deepEqual(lines(outline), lines(wanted), said);
      const headings = (one: SmartOutline) =>
        Array.from({ length: one.length }, (_, index) => one.headingAt(index));
      assert.deepEqual(headings(outline), headings(wanted), said);
      assert.equal(
        new Set(Array.from({ length: outline.length }, (_, index) => outline.lineAt(index))).size,
        outline.length,
      );
    });
  }

  step(): string {
    const action = this.#action();
    if (this.random() < 0.06) {
      const ms = this.pick([60_000, 3_600_000, 86_400_000]);
      this.timers.advance(ms);
      this.smart.tick();
      this.smart.renew();
      this.outlines.forEach((outline) => outline.update([], this.smart.takeTouched(outline.list)));
      return `${ms} ms later`;
    }
    this.replica.issue(action);
    return JSON.stringify(action);
  }

  #when(): unknown {
    const day = Temporal.Instant.fromEpochMilliseconds(this.replica.now())
      .toZonedDateTimeISO('Asia/Kathmandu')
      .toPlainDate();
    const on = day.add({ days: Math.floor(this.random() * 8) - 3 }).toString();
    const at = this.replica.now() + Math.floor((this.random() - 0.4) * 7_200_000);
    return this.pick<unknown>([null, { on }, { at, zone: 'Asia/Kathmandu' }, { local: `${on}T15:00` }]);
  }

  #block(): unknown {
    const days = Math.floor(this.random() * 5) - 2;
    const start = Math.floor(this.replica.now() / 60_000) * 60_000 + days * 86_400_000;
    return this.random() < 0.2 ? null : { start, minutes: 30, occ: this.random() < 0.8 ? 0 : 1 };
  }

  #action(): Action[] {
    const task = this.pick(this.tasks);
    const id = deriveId('smart test', 'red');
    if (this.tasks.length < 5 || this.random() < 0.15) {
      const made = this.replica.newId();
      const parent = this.random() < 0.5 || task === undefined ? this.pick(this.places) : task;
      this.tasks.push(made);
      const title = this.pick(['Plan trip', 'Buy plan', 'Trip', 'Call', 'plan B']);
      return [{ a: 'create', id: made, type: 'task', fields: { title }, place: { parent } }];
    }
    const set = (field: string, value: unknown, of: Id = task): Action =>
      ({ a: 'set', id: of, field, value }) as Action;
    const mine = mineId(SCOPE, task);
    const own = (field: string, value: unknown): Action[] =>
      this.replica.row(mine)
        ? [set(field, value, mine)]
        : [
            {
              a: 'create',
              id: mine,
              type: 'mine',
              fields: { of: task, ...(value === null ? {} : { [field]: value }) },
            } as Action,
          ];
    const now = this.replica.now();
    const kinds: (() => Action[])[] = [
      () => [set('due', this.#when())],
      () => [set('start', this.#when())],
      () => own('snooze', this.#when()),
      () => own('block:a', this.#block()),
      () => own('collapsed', this.random() < 0.5 ? true : null),
      () => [set('status', this.pick([null, { done: now }, { done: now, cleared: now }]))],
      () => [set('title', this.pick(['Plan trip', 'trip', 'Else', 'Café plan']))],
      () => [
        set(`label:${this.pick([id, deriveId('smart test', 'blue')])}`, this.random() < 0.6 ? true : null),
      ],
      () => [{ a: 'place', id: task, place: { parent: this.pick([...this.places, ...this.tasks]) } }],
      () => [{ a: 'delete', id: task }],
      () => [{ a: 'restore', id: task }],
      () => [set('name', this.pick(['Work', 'Office', 'Garden']), this.pick(this.places))],
      () => [set('name', this.pick(['red', 'crimson']), id)],
      () => [set('archivedAt', this.random() < 0.5 ? now : null, this.pick(this.places))],
      () => [
        {
          a: 'place',
          id: this.pick(this.places),
          place: { parent: this.pick([SCOPE, deriveId('smart test', 'Home')]) },
        },
      ],
      () => [
        {
          a: 'place',
          id,
          place: { parent: this.pick([labelsRoot(SCOPE), deriveId('smart test', 'Colour')]) },
        },
      ],
      () => [
        this.random() < 0.5
          ? { a: 'delete', id: this.pick(this.places) }
          : { a: 'restore', id: this.pick(this.places) },
      ],
    ];
    // What hangs much together happens less often.
    const at = this.random() < 0.85 ? Math.floor(this.random() * 10) : 10 + Math.floor(this.random() * 6);
    return (kinds[at] as () => Action[])();
  }
}

describe('smart lists', () => {
  test('[SMART-1] are what they would be when opened now, whatever happens', () => {
    for (let seed = 1; seed <= 4; seed += 1) {
      const bench = new Bench(seed);
      for (let step = 0; step < 500; step += 1) {
        const done = bench.step();
        if (step % 4 === 0) bench.compare(`seed ${seed}, step ${step}: ${done}`);
      }
      assert.ok(bench.tasks.length > 20 && START > 0);
    }
  });
});
