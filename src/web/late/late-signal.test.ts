// What is drawn one frame behind the key: never two values at once, never an old one for good.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSignal } from '#client/app/signal.ts';
import { late, type LateClock, type Wait } from './late-signal.ts';

/** A clock whose frames and times come when the test says. */
function handClock() {
  const painted = new Set<() => void>();
  const timed = new Set<() => void>();
  const into =
    (queue: Set<() => void>) =>
    (work: () => void): (() => void) => {
      queue.add(work);
      return () => queue.delete(work);
    };
  const inTime = into(timed);
  const clock: LateClock = { painted: into(painted), after: (_delayMs, work) => inTime(work) };
  const runAll = (queue: Set<() => void>) => [...queue].forEach((work) => queue.delete(work) && work());
  return {
    clock,
    paint: () => runAll(painted),
    pass: () => runAll(timed),
    waiting: () => painted.size + timed.size,
  };
}

/** Numbers: tens are drawn at once, other steps late; negative ones only when they last. */
function numbers(next: number, shown: number): Wait | null {
  if (next === shown) return null;
  if (next < 0) return 100;
  return Math.trunc(next / 10) === Math.trunc(shown / 10) ? 'painted' : 'none';
}

function world(first: number) {
  const hand = handClock();
  const source = createSignal(first);
  const twin = late(numbers, hand.clock)(source);
  const drawn: number[] = [];
  const stop = twin.subscribe(() => drawn.push(twin.get()));
  return { ...hand, source, twin, drawn, stop };
}

describe('a signal that is drawn one frame behind the key', () => {
  it('[KEY-75] shows the old value until the frame is painted, then the newest', () => {
    const { source, twin, drawn, paint } = world(1);
    source.set(2);
    source.set(3);
    assert.equal(twin.get(), 1);
    paint();
    assert.equal(twin.get(), 3);
    assert.deepEqual(drawn, [3], 'what came in between is not drawn');
  });

  it('[KEY-75] shows what cannot wait at once, with everything that waited', () => {
    const { source, drawn, paint, waiting } = world(1);
    source.set(2);
    source.set(20);
    assert.deepEqual(drawn, [20]);
    assert.equal(waiting(), 0);
    paint();
    assert.deepEqual(drawn, [20]);
  });

  it('[KEY-75] draws nothing when the value has come back before it was drawn', () => {
    const { source, drawn, paint, pass, waiting } = world(1);
    source.set(-1);
    assert.equal(waiting(), 1);
    source.set(1);
    assert.equal(waiting(), 0);
    paint();
    pass();
    assert.deepEqual(drawn, []);
  });

  it('[KEY-75] draws a value that lasts, and a frame comes before a time', () => {
    const { source, drawn, paint, pass } = world(1);
    source.set(-1);
    pass();
    assert.deepEqual(drawn, [-1]);
    source.set(-2);
    source.set(-0.5);
    source.set(0.5);
    paint();
    assert.deepEqual(drawn, [-1, 0.5]);
    pass();
    assert.deepEqual(drawn, [-1, 0.5], 'the time has nothing more to show');
  });

  it('[KEY-75] is up to date when it is first drawn, and after it was left', () => {
    const hand = handClock();
    const source = createSignal(1);
    const twinOf = late(numbers, hand.clock);
    const twin = twinOf(source);
    assert.equal(twinOf(source), twin, 'one twin for all who draw it');
    source.set(2);
    assert.equal(twin.get(), 2);
    source.set(3);
    const drawn: number[] = [];
    const stop = twin.subscribe(() => drawn.push(twin.get()));
    assert.deepEqual(drawn, [3], 'it changed between drawing and listening');
    source.set(4);
    stop();
    assert.equal(hand.waiting(), 0);
    assert.equal(twin.get(), 4);
  });
});
