// Where written numbers put things: rules ORD-5 to ORD-7 of docs/rules/tasks.md and API-8 and API-9 of docs/rules/api.md, each
// against a simple way to say the same.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { generateKeyBetween } from 'fractional-indexing';
import type { Id } from '#core/ids.ts';
import { compareOrdinals, orderIndexOf, ordinalOf, parseOrdinal } from '#core/ordinal.ts';
import type { Branch } from './task-reads.ts';
import { type Move, Outline, type Wish } from './outline.ts';

const ROOT = 'root' as Id;
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

interface Line {
  readonly id: string;
  readonly level: number;
}

interface Placed extends Branch {
  readonly ordinal: string;
  readonly index: number;
}

/** Lines from top to bottom as they would be stored, each with the numbers that it is shown with. */
function stored(lines: readonly Line[]): Map<string, Placed> {
  const above: { readonly id: Id; readonly path: readonly string[]; last: string | null }[] = [];
  const top = { id: ROOT, path: [] as readonly string[], last: null as string | null };
  const placed = new Map<string, Placed>();
  for (const { id, level } of lines) {
    above.length = level;
    const parent = above[level - 1] ?? top;
    const key = generateKeyBetween(parent.last, null);
    parent.last = key;
    const path = [...parent.path, key];
    above[level] = { id: id as Id, path, last: null };
    const ordinal = ordinalOf(path);
    placed.set(id, {
      id: id as Id,
      parent: parent.id,
      key,
      isDone: false,
      ordinal,
      index: orderIndexOf(ordinal),
    });
  }
  return placed;
}

const childrenOf = (branches: Iterable<Branch>) => {
  const children = new Map<Id, Id[]>();
  for (const { id, parent } of branches) children.set(parent, [...(children.get(parent) ?? []), id]);
  return children;
};

/** Makes the moves one after another, as they are written; each has to be possible by then. */
function made(branches: Iterable<Branch>, moves: readonly Move[]): Line[] {
  const children = childrenOf(branches);
  const parents = new Map([...branches].map(({ id, parent }) => [id, parent]));
  for (const { id, position } of moves) {
    const old = parents.get(id);
    if (old !== undefined)
      children.set(
        old,
        children.get(old)!.filter((other) => other !== id),
      );
    for (let at: Id | undefined = position.parent; at !== undefined; at = parents.get(at))
      assert.notEqual(at, id, 'under itself');
    const siblings = children.get(position.parent) ?? [];
    const at = position.at === 'start' ? 0 : siblings.length;
    if (position.after !== undefined)
      assert.ok(siblings.includes(position.after), 'what it goes after is there');
    siblings.splice(position.after === undefined ? at : siblings.indexOf(position.after) + 1, 0, id);
    children.set(position.parent, siblings);
    parents.set(id, position.parent);
  }
  const lines: Line[] = [];
  const walk = (parent: Id, level: number) => {
    for (const id of children.get(parent) ?? []) {
      lines.push({ id, level });
      walk(id, level + 1);
    }
  };
  walk(ROOT, 0);
  return lines;
}

const wish = (id: string, more: Partial<Wish>): Wish => ({
  id: id as Id,
  root: ROOT,
  parent: null,
  ordinal: null,
  index: null,
  level: null,
  ...more,
});

const text = (lines: readonly Line[]) => lines.map(({ id, level }) => '  '.repeat(level) + id);
const linesOf = (outline: readonly string[]) =>
  outline.map((line): Line => ({ id: line.trim(), level: (line.length - line.trimStart().length) / 2 }));

/** `count` numbers between two ordinals, as a client that has only these makes them. */
function between(low: string | null, high: string | null, count: number): string[] {
  const places = Math.max(low?.length ?? 0, high?.length ?? 0) + 3;
  const scaled = (ordinal: string) => {
    const [whole = '', fraction = ''] = ordinal.split('.');
    return [...whole, ...fraction.padEnd(places, '0')].reduce(
      (sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)),
      0n,
    );
  };
  const from = low === null ? 0n : scaled(low);
  const to = high === null ? 62n ** BigInt(places) : scaled(high);
  return Array.from({ length: count }, (_, at) => {
    let rest = from + ((to - from) * BigInt(at + 1)) / BigInt(count + 1);
    let digits = '';
    for (let place = 0; place < places; place += 1) {
      digits = DIGITS.charAt(Number(rest % 62n)) + digits;
      rest /= 62n;
    }
    // Some leave out the whole part, as .5 for 0.5.
    return at % 2 === 0 ? `0.${digits}` : `.${digits}`;
  });
}

const arbitraryLines = fc.array(fc.nat(4), { minLength: 1, maxLength: 24 }).map((levels) => {
  let last = -1;
  return levels.map((level, at): Line => {
    last = Math.min(level, last + 1);
    return { id: `t${at}`, level: last };
  });
});

describe('several numbers in one request', () => {
  test('[ORD-5] [API-9] put what they are written of in their order, and all are about the order before', () => {
    fc.assert(
      fc.property(arbitraryLines, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(1))), (lines, asked) => {
        const placed = stored(lines);
        const all = [...placed.values()];
        const wishes = new Map<Id, Wish>();
        const ordinalsOf = new Map<Id, string>();
        for (const [pick, target, byIndex] of asked) {
          const task = all[pick % all.length]!;
          const ordinal = all[target % all.length]!.ordinal;
          ordinalsOf.set(task.id, ordinal);
          const number = byIndex === 1 && new Set(all.map(({ index }) => index)).size === all.length;
          const written = number ? { index: orderIndexOf(ordinal) } : { ordinal };
          wishes.delete(task.id);
          wishes.set(task.id, wish(task.id, { parent: task.parent, ...written }));
        }
        const ids = [...wishes.keys()];
        // Of each parent: what stays by its own number, what is written by the written one and after what stays.
        const expected: Line[] = [];
        const isByIndex = (id: Id) => Number(wishes.get(id)?.index !== null && wishes.has(id));
        const walk = (parent: Id, level: number) => {
          const siblings = all
            .filter((task) => task.parent === parent)
            .toSorted(
              (a, b) =>
                compareOrdinals(ordinalsOf.get(a.id) ?? a.ordinal, ordinalsOf.get(b.id) ?? b.ordinal) ||
                isByIndex(a.id) - isByIndex(b.id) ||
                ids.indexOf(a.id) - ids.indexOf(b.id),
            );
          for (const { id } of siblings) {
            expected.push({ id, level });
            walk(id, level + 1);
          }
        };
        walk(ROOT, 0);
        const moves = new Outline(all).arrange([...wishes.values()]);
        assert.deepEqual(text(made(all, moves)), text(expected));
      }),
      { seed: 21, numRuns: 500 },
    );
  });

  test('[API-8] [API-9] a block with its levels comes to stand where its numbers say, under the right parents', () => {
    fc.assert(
      fc.property(
        arbitraryLines,
        fc.record({
          from: fc.nat(),
          length: fc.nat(5),
          to: fc.nat(),
          level: fc.nat(4),
          isByIndex: fc.boolean(),
          isTurned: fc.boolean(),
        }),
        (lines, { from, length, to, level, isByIndex, isTurned }) => {
          const placed = stored(lines);
          const all = [...placed.values()];
          // What hangs under its lines belongs to the block.
          const first = from % lines.length;
          let end = Math.min(lines.length, first + 1 + length);
          const outmost = () => Math.min(...lines.slice(first, end).map((line) => line.level));
          while (end < lines.length && lines[end]!.level > outmost()) end += 1;
          const block = lines.slice(first, end);
          const rest = lines.filter((line) => !block.includes(line));
          const gap = to % (rest.length + 1);
          const [above, below] = [rest[gap - 1], rest[gap]];
          // Of a list of lines with levels: nothing else may change its parent by it.
          const least = Math.max(0, ...(below ? [below.level] : []));
          const most = above ? above.level + 1 : 0;
          const shift = Math.min(Math.max(level, least), most) - block[0]!.level;
          const moved = block.map((line) => ({ ...line, level: line.level + shift }));
          if (moved.some((line) => line.level < least)) return;
          const expected = [...rest.slice(0, gap), ...moved, ...rest.slice(gap)];
          if (rest.some((line, at) => line.level > (rest[at - 1]?.level ?? -1) + 1)) return;
          const [low, high] = [above, below].map((line) => (line ? placed.get(line.id)! : null));
          const ordinals = between(low?.ordinal ?? null, high?.ordinal ?? null, moved.length);
          const step = ((high?.index ?? 1) - (low?.index ?? 0)) / (moved.length + 1);
          if (isByIndex && step < 1e-12) return;
          const wishes = moved.map((line, at) =>
            wish(line.id, {
              level: line.level,
              ...(isByIndex ? { index: (low?.index ?? 0) + step * (at + 1) } : { ordinal: ordinals[at]! }),
            }),
          );
          const moves = new Outline(all).arrange(isTurned ? wishes.toReversed() : wishes);
          assert.deepEqual(text(made(all, moves)), text(expected));
        },
      ),
      { seed: 22, numRuns: 5_000 },
    );
  });

  test('[API-9] things can change places with what they hang under', () => {
    const all = [...stored(linesOf(['a', '  b', '    c'])).values()];
    const moves = new Outline(all).arrange([
      wish('a', { parent: 'c' as Id }),
      wish('b', { parent: ROOT, ordinal: '0' }),
      wish('c', { parent: 'b' as Id }),
    ]);
    assert.deepEqual(text(made(all, moves)), ['b', '  c', '    a']);
  });

  test('[API-9] what would hang under itself is handed on, to be refused where it is written', () => {
    const all = [...stored(linesOf(['a', '  b', 'c'])).values()];
    const moves = new Outline(all).arrange([
      wish('a', { parent: 'b' as Id }),
      wish('b', { parent: 'a' as Id, ordinal: '1' }),
      wish('c', { parent: ROOT, ordinal: '0' }),
    ]);
    assert.deepEqual(moves.map(({ id }) => id).toSorted(), ['a', 'c']);
  });

  test('[API-9] several at the start or at the end keep the order in which they were asked for', () => {
    const all = [...stored(linesOf(['a', 'b', 'c', 'd'])).values()];
    const moves = new Outline(all).arrange([
      wish('d', { parent: ROOT, location: 'start' }),
      wish('b', { parent: ROOT, location: 'end' }),
      wish('c', { parent: ROOT, location: 'start' }),
      wish('a', { parent: ROOT, location: 'end' }),
    ]);
    assert.deepEqual(text(made(all, moves)), ['d', 'c', 'b', 'a']);
  });
});

describe('one number', () => {
  const all = [...stored(linesOf(['a', '  a1', 'b', 'c', 'x'])).values()];
  const at = (more: Partial<Wish>) =>
    text(made(all, new Outline(all).arrange([wish('x', { parent: ROOT, ...more })])));
  const ordinal = (id: string) => all.find((task) => task.id === id)!.ordinal;

  test('[ORD-5] before all of them is first, beyond them last, and where it is no move', () => {
    assert.deepEqual(at({ ordinal: '0' }).slice(0, 2), ['x', 'a']);
    assert.deepEqual(at({ ordinal: '.0' }).slice(0, 2), ['x', 'a']);
    assert.deepEqual(new Outline(all).arrange([wish('x', { parent: ROOT, ordinal: 'Z' })]), []);
    assert.deepEqual(new Outline([]).arrange([wish('x', { parent: ROOT, ordinal: 'Z' })]).length, 1);
  });

  test('[ORD-6] that of a sibling, or of something beneath it, is after that sibling', () => {
    assert.deepEqual(at({ ordinal: ordinal('a') }), ['a', '  a1', 'x', 'b', 'c']);
    assert.deepEqual(at({ ordinal: ordinal('a1') }), ['a', '  a1', 'x', 'b', 'c']);
    assert.deepEqual(at({ ordinal: parseOrdinal(ordinal('b').replace(/^0/, ''))! }), [
      'a',
      '  a1',
      'b',
      'x',
      'c',
    ]);
  });

  test('[ORD-7] an index is read the same way, and is after all that share it', () => {
    const index = (id: string) => orderIndexOf(ordinal(id));
    assert.deepEqual(at({ index: (index('b') + index('c')) / 2 }), ['a', '  a1', 'b', 'x', 'c']);
    assert.deepEqual(at({ index: index('b') }), ['a', '  a1', 'b', 'x', 'c']);
    assert.deepEqual(at({ index: -1e308 })[0], 'x');
    assert.deepEqual(at({ index: 5 }).at(-1), 'x');
    const same = all.map((task): Branch => ({
      ...task,
      parent: ROOT,
      key: `a0${'V'.repeat(30)}${task.key.at(-1)}V`,
    }));
    const [{ key }] = same as [Branch];
    const moves = new Outline(same).arrange([
      wish('a1', { parent: ROOT, index: orderIndexOf(ordinalOf([key])) }),
    ]);
    assert.deepEqual(made(same, moves).at(-1)?.id, 'a1');
  });

  test('siblings with one key, which only exist for a moment, are told apart by id', () => {
    const twins = ['a', 'b', 'c'].map((id): Branch => ({
      id: id as Id,
      parent: ROOT,
      key: 'a0',
      isDone: false,
    }));
    for (const index of [-1, 0, 0.5, 1])
      assert.equal(made(twins, new Outline(twins).arrange([wish('b', { parent: ROOT, index })])).length, 3);
  });
});
