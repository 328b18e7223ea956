// What searches find in sets of tasks by way of the columns of the index, compared with the plainest evaluator and with the
// question a task is asked by itself; and that portions, narrower searches and every order find what all at once does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SortedRun } from '#client/query/sorted-run.ts';
import type { Id } from '#core/ids.ts';
import { compileQuery } from '#core/search/evaluate.ts';
import { printQuery } from './print.ts';
import type { Query } from '#core/search/query.ts';
import { type Asked, Asking, narrows } from '#sync/query/asking.ts';
import { narrowingOf } from '#sync/query/narrowing.ts';
import { orderOf } from '#sync/query/order.ts';
import { atLeisure, Scan } from '#sync/query/scan.ts';
import { FirstSlots, placeIn, SlotSort } from '#sync/query/slot-order.ts';
import { slotTestOf } from '#sync/query/slot-test.ts';
import { codeOf, ZoneClock } from '#sync/query/when-code.ts';
import { saidAt, zones } from '../dates/said-at.ts';
import { expressions, naive, subjects } from './samples.ts';
import { taskSet } from './task-sets.ts';

/** In seven zones more than 100,000 queries, each of a set of six. */
const QUERIES = 15_000;
const SETS = 200;
const directives = { sort: null, limit: null, nested: null, duplicates: null };

describe('searches of many tasks', () => {
  const sets = fc.sample(fc.array(subjects, { minLength: 6, maxLength: 6 }), { numRuns: SETS, seed: 21 });

  zones.forEach((zone, at) => {
    test(`[SEARCH-12] columns answer as the plainest evaluator does in ${zone}`, () => {
      const context = saidAt(zone);
      const held = sets.map((samples) => taskSet(samples, () => context));
      let hits = 0;
      fc.sample(expressions, { numRuns: QUERIES, seed: 100 + at }).forEach((expression, number) => {
        const set = held[(number * 7_919) % SETS] as (typeof held)[number];
        const { world, samples, slots, names } = set;
        const moment = { names, context };
        const matches = slotTestOf(expression, { index: world.index, subjects: set.subjects, moment });
        const query: Query = { expression, directives, problems: [] };
        const question = compileQuery(query, moment);
        const narrowing = narrowingOf(expression);
        samples.forEach((sample, which) => {
          const slot = slots[which] as number;
          const expected = naive(expression, sample, context);
          assert.equal(matches(slot), expected, printQuery(query));
          const subject = set.subjects.at(slot);
          assert.equal(subject !== null && question.matches(subject), expected, printQuery(query));
          const bits = world.index.bitsAt(slot);
          const passes = (bits & narrowing.set) === narrowing.set && (bits & narrowing.clear) === 0;
          assert.ok(passes || !expected, `${printQuery(query)} passes over what it finds`);
          if (expected) hits += 1;
        });
      });
      assert.ok(hits > QUERIES, `${hits} of ${6 * QUERIES} tasks were found`);
    });
  });

  const context = saidAt('Australia/Lord_Howe');
  const many = taskSet(fc.sample(subjects, { numRuns: 2_000, seed: 3 }), () => context);
  const { index } = many.world;
  const all = (asked: Asked) => {
    const scan = new Scan(index, asked.matches);
    scan.run(atLeisure);
    return [...scan.found.view];
  };

  test('[SEARCH-16] portions find what all at once does, and a longer query narrows what a shorter one found', () => {
    const asking = new Asking(many.world);
    const typed = [
      'p',
      'pa',
      'pa is:open',
      'pa is:open due:<"next month"',
      'pay is:open due:<"next month" -label:x',
    ];
    for (const stop of [1, 2, 3, 7]) {
      let last: { readonly asked: Asked; readonly scan: Scan } | null = null;
      for (const text of typed) {
        const asked = asking.ask(text);
        assert.ok(last === null || narrows(asked, last.asked), text);
        const scan: Scan = new Scan(index, asked.matches, last?.scan ?? null);
        // Every search but the last is left before it has come to an end.
        for (let portions = 0; !scan.isDone && portions < stop; portions += 1) scan.run(() => true);
        last = { asked, scan };
        if (text === typed.at(-1)) scan.run(atLeisure);
      }
      assert.deepEqual([...(last?.scan.found.view ?? [])], all(asking.ask(typed.at(-1) ?? '')), `${stop}`);
    }
    assert.ok(!narrows(asking.ask('a OR b'), asking.ask('a')));
    assert.ok(!narrows(asking.ask('notes:rent'), asking.ask('title:rent')));
    assert.ok(!narrows(asking.ask('is:complete'), asking.ask('')), 'what was cleared comes with it');
  });

  test('[SEARCH-17] the first page of every order, all of it in portions, and the place of each', () => {
    for (const field of [
      'due-date',
      'start-date',
      'creation-date',
      'alphabetically',
      'label',
      'duration',
    ] as const) {
      for (const by of ['asc', 'desc'] as const) {
        const order = orderOf(many.world, { field, order: by });
        const slots = Int32Array.from({ length: index.size }, (_, slot) => slot);
        const first = new FirstSlots(order, 50);
        for (const slot of slots) {
          order.learn(slot);
          first.offer(slot);
        }
        const expected = [...slots].toSorted((a, b) => order.compare(a, b));
        const sort = new SlotSort(order, slots);
        while (!sort.run(() => true)) assert.ok(!sort.isDone);
        assert.deepEqual([...sort.slots], expected, `${field} ${by}`);
        assert.deepEqual([...first.sorted()], expected.slice(0, 50), `${field} ${by}`);
        for (const at of [0, 1, 999, index.size - 1])
          assert.equal(placeIn(sort.slots, expected[at] as number, order), at);
      }
    }
  });

  test('[SEARCH-17] whoever goes to the end before all is in order sees it in its order', () => {
    const asking = new Asking(many.world);
    const sort = { field: 'creation-date', order: 'desc' } as const;
    const asked = asking.ask('-zzz sort:creation-date-desc');
    const expected = asking.find(asked);
    const begin = () => new SortedRun(many.world, sort, { matches: asked.matches, limit: null, wider: null });
    const lines = ({ results }: SortedRun) =>
      Array.from({ length: results.length }, (_, at) => results.at(at) as Id);
    const run = begin();
    // Until all were looked at, what is there is in order, too.
    while (!run.scan.isDone) {
      run.step(() => true);
      if (!run.scan.isDone) assert.ok(run.results.length <= 200);
    }
    assert.ok(!run.isDone && run.results.length === expected.length && expected.length > 1_000);
    assert.deepEqual(
      Array.from({ length: 200 }, (_, at) => run.results.at(at)),
      expected.slice(0, 200),
    );
    assert.ok(!run.isDone, 'the first page asks for nothing');
    const gone = expected[100] as Id;
    run.results.remove(new Set([gone]));
    assert.equal(run.results.at(run.results.length - 1), expected.at(-1));
    assert.ok(run.isDone);
    assert.deepEqual(
      lines(run),
      expected.filter((id) => id !== gone),
    );
    const other = begin();
    while (!other.step(() => true));
    assert.deepEqual(lines(other), expected);
    for (const at of [0, 7, expected.length - 1]) assert.equal(other.results.indexOf(expected[at] as Id), at);
  });

  test('[SEARCH-12] the clock of a zone is that of the calendar, at its changes as well', () => {
    for (const zone of ['America/Sao_Paulo', 'Europe/London', 'Asia/Gaza', 'Australia/Lord_Howe']) {
      const clock = new ZoneClock(zone);
      for (let hour = 0; hour < 24 * 366; hour += 1) {
        const at = Date.UTC(2018, 0, 1, hour, 30);
        const there = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        assert.equal(clock.wallAt(at) - at, there.offsetNanoseconds / 1e6, `${zone} ${there.toString()}`);
        const local = new Date(at).toISOString().slice(0, 16);
        const moment = Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
        assert.equal(clock.momentOfCode(codeOf({ local })), moment, `${zone} ${local}`);
      }
    }
  });
});
