// Where rows of several heights stand: wherever the person scrolls and whatever changes, one under the other.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RowView } from '#client/app/view.ts';
import { RowsWindow } from '#client/outline/rows-view.ts';
import { must } from '#core/assert.ts';
import { deriveId, type Id } from '#core/ids.ts';
import { drawnRows, edgeAt, gapAt } from '#web/views/touch/gaps.ts';
import { plainRow as row } from './plain-row.ts';
import { SeededRandom } from './simulator/random.ts';

const HEADING = { text: 'Today', detail: '', count: '', isLate: false };
const ROOM = 12.4;
/** Empty space under the last row. */
const BELOW = 2;
const HEIGHTS = [1, 1, 1, 1.5, 2, 3.25];

/** An outline of rows of several heights, and a screen over it as a browser moves it. */
class Screen {
  readonly random: SeededRandom;
  readonly lines: { readonly id: Id; readonly height: number; readonly isFirst: boolean }[] = [];
  cursor = -1;
  /** As in the browser: how far it is scrolled. */
  scrolled = 0;
  #made = 0;
  readonly rows: RowsWindow;

  constructor(seed: number, length: number) {
    this.random = new SeededRandom(seed);
    this.insert(0, length);
    this.rows = new RowsWindow(() => ({
      length: this.lines.length,
      cursor: this.lines[this.cursor]?.id ?? null,
      cursorIndex: this.cursor,
      hasHeadings: true,
      rowAt: (index) => {
        const { id, isFirst } = must(this.lines[index], `line ${index} is there`);
        const heading = isFirst ? HEADING : null;
        return { ...row, id, line: id, index, y: index, heading, cursor: index === this.cursor };
      },
    }));
    const heights = new Map<Id, number>();
    this.rows.resize(ROOM, ({ id }) => {
      if (!heights.has(id)) heights.set(id, this.lines.find((line) => line.id === id)?.height ?? 1);
      return heights.get(id) ?? 1;
    });
  }

  insert(at: number, count: number): void {
    const fresh = Array.from({ length: count }, () => ({
      id: deriveId('line', String((this.#made += 1))),
      height: this.random.pick(HEIGHTS),
      isFirst: this.random.chance(0.2),
    }));
    this.lines.splice(at, 0, ...fresh);
    if (this.cursor >= at) this.cursor += count;
  }

  drawn(): readonly RowView[] {
    return drawnRows(this.rows);
  }

  /** The person scrolls: what is on screen moves by as much, and by nothing else. */
  scroll(by: number): void {
    const most = Math.max(0, this.rows.extent.get() + BELOW - ROOM);
    const to = Math.max(0, Math.min(most, this.scrolled + by));
    const before = new Map(this.drawn().map(({ id, y }) => [id, y - to]));
    const moved = to + this.rows.scrolledTo(to);
    // At the very beginning there is nowhere to scroll to: what is above the first line goes.
    this.scrolled = Math.max(0, moved);
    for (const { id, y } of this.drawn()) {
      const seen = before.get(id);
      if (seen !== undefined) assert.ok(Math.abs(y - moved - seen) < 1e-6, 'it stays where it was seen');
    }
    this.check();
    const last = this.drawn().at(-1);
    const end = Math.min(this.rows.extent.get(), this.scrolled + ROOM);
    if (last) assert.ok(last.y + last.height >= end - 1e-6, 'rows are drawn as far as the screen goes');
    assert.ok(this.rows.offset.get() <= this.scrolled + 1e-6, 'and from its first line on');
  }

  /** The app moves the cursor or changes the outline; the screen follows. */
  sync(): void {
    this.rows.sync();
    this.scrolled = this.rows.offset.get();
    this.check();
  }

  check(): void {
    const drawn = this.drawn();
    const { length } = this.lines;
    for (const [at, one] of drawn.entries()) {
      assert.equal(one.height, this.lines[one.index]?.height);
      assert.equal(one.id, this.lines[one.index]?.id);
      const next = drawn[at + 1];
      if (next) assert.deepEqual([next.index, next.y - next.head], [one.index + 1, one.y + one.height]);
      assert.equal(one.head > 0, this.lines[one.index]?.isFirst);
      assert.ok(one.y >= one.index - 1e-6, 'there is room for those above');
    }
    if (drawn[0]?.index === 0) assert.equal(drawn[0].y, drawn[0].head);
    const last = drawn.at(-1);
    if (last?.index === length - 1) assert.equal(this.rows.extent.get(), last.y + last.height);
    const top = drawn.find(({ index }) => index === this.rows.top.get());
    if (length > 0) {
      const { y, head } = must(top, 'the first row is drawn');
      assert.equal(this.rows.offset.get(), y - head);
    }
    // The screen is full of rows as far as there are any.
    const end = last ? last.y + last.height : 0;
    assert.ok(last?.index === length - 1 || length === 0 || end >= this.rows.offset.get() + ROOM);
  }
}

describe('rows of several heights', () => {
  for (const length of [0, 3, 40, 2_000])
    test(`stand one under the other wherever the person scrolls and whatever changes (${length})`, () => {
      for (let seed = 0; seed < 40; seed += 1) {
        const screen = new Screen(seed, length);
        const { random, lines, rows } = screen;
        screen.sync();
        for (let step = 0; step < 120; step += 1) {
          const chance = random.fraction();
          if (chance < 0.5) screen.scroll(random.between(-9, 9) / 2);
          else if (chance < 0.55) screen.scroll(random.between(-3_000, 3_000));
          else if (chance < 0.75 && lines.length > 0) {
            screen.cursor = random.below(lines.length);
            rows.follow();
            screen.sync();
            const at = must(rows.drawnAs(lines[screen.cursor]?.id ?? ''), 'the cursor is drawn');
            const top = rows.offset.get();
            assert.ok(
              at.y - at.head >= top && at.y + at.height <= top + ROOM + 1e-6,
              'the cursor is on screen',
            );
          } else if (chance < 0.85) {
            screen.insert(random.below(lines.length + 1), random.between(1, 5));
            screen.sync();
          } else if (lines.length > 0) {
            const at = random.below(lines.length);
            lines.splice(at, random.between(1, 3));
            if (screen.cursor > at) screen.cursor -= 1;
            screen.cursor = Math.min(screen.cursor, lines.length - 1);
            screen.sync();
          }
        }
        for (let more = 0; more < 3_000 && screen.scrolled > 0; more += 1) screen.scroll(-5);
        assert.deepEqual([rows.top.get(), rows.offset.get()], [0, 0], 'the first line is the beginning');
      }
    });

  test('what is dropped goes before the row that is nearest', () => {
    const screen = new Screen(1, 30);
    screen.sync();
    const drawn = screen.drawn();
    for (const { index, y, height } of drawn) {
      assert.equal(gapAt(drawn, y + height * 0.4), index);
      assert.equal(gapAt(drawn, y + height * 0.6), index + 1);
      assert.equal(edgeAt(drawn, index), y);
    }
    assert.deepEqual([gapAt([], 3), edgeAt([], 0)], [0, 0]);
  });
});
