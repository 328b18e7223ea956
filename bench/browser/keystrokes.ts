// Presses keys one by one and reads, for each, the probe's times and the main thread's counters. A key is pressed at a
// random moment after the previous result, so that keys meet all phases of a frame.
import { setTimeout as pause } from 'node:timers/promises';
import { readCounters, type Tab } from './chromium.ts';
import type { KeyRecord } from './probe.ts';
import type { Interaction, Step } from './subject.ts';

const STEP_LIMIT_MS = 10_000;
const WARM_UP_KEYS = 3;
/** Two frames of 60 Hz, after a first pause that lets work behind the frame end. */
const SHORTEST_PAUSE_MS = 20;
const PAUSE_SPREAD_MS = 34;

export interface InteractionSamples {
  readonly done: readonly number[];
  readonly paint: readonly number[];
  readonly delay: readonly number[];
  readonly event: readonly number[];
  /** Main-thread milliseconds of each key: all, script, style, layout. */
  readonly cpu: readonly number[];
  readonly script: readonly number[];
  readonly style: readonly number[];
  readonly layout: readonly number[];
  readonly longTasks: number;
  /** Keys without a result in time. */
  readonly lost: number;
  /** Keys whose expectation held before they were pressed. */
  readonly void: number;
}

/** Presses one prepared key and waits for its result. */
export async function pressAndWait({ page }: Tab, step: Step): Promise<KeyRecord> {
  await page.evaluate(([name, argument, limit]) => globalThis.benchProbe.expect(name, argument, limit), [
    step.expect,
    step.argument,
    STEP_LIMIT_MS,
  ] as const);
  await page.keyboard.press(step.key);
  return Promise.race([
    page.evaluate(() => globalThis.benchProbe.result()),
    pause(STEP_LIMIT_MS + 5_000).then((): never => {
      throw new Error(`${step.key} reached no listener of the page.`);
    }),
  ]);
}

interface Key {
  readonly record: KeyRecord;
  readonly cpu: number;
  readonly script: number;
  readonly style: number;
  readonly layout: number;
}

async function pressMeasured(tab: Tab, step: Step): Promise<Key> {
  const before = await readCounters(tab.cdp);
  const record = await pressAndWait(tab, step);
  const after = await readCounters(tab.cdp);
  const spent = (name: 'task' | 'script' | 'style' | 'layout') => (after[name] - before[name]) * 1_000;
  return {
    record,
    cpu: spent('task'),
    script: spent('script'),
    style: spent('style'),
    layout: spent('layout'),
  };
}

/** Measures `count` keys of one interaction, after a few that only warm up. */
export async function measureInteraction(
  tab: Tab,
  interaction: Interaction,
  count: number,
): Promise<InteractionSamples> {
  const keys: Key[] = [];
  const longBefore = await tab.page.evaluate(() => globalThis.benchProbe.longTasks());
  for (let at = 0; at < count + WARM_UP_KEYS; at += 1) {
    const step = await interaction.prepare(tab.page, at);
    const key = await pressMeasured(tab, step);
    if (at >= WARM_UP_KEYS) keys.push(key);
    if (keys.filter(({ record }) => record.done === null).length > 2) break;
    await pause(SHORTEST_PAUSE_MS + Math.random() * PAUSE_SPREAD_MS);
  }
  await interaction.finish?.(tab.page);
  const good = keys.filter(({ record }) => record.done !== null && !record.wasTrue);
  const event = await tab.page.evaluate(
    (times) => times.map((at) => globalThis.benchProbe.eventDuration(at) ?? 8),
    good.map(({ record }) => record.at),
  );
  const longAfter = await tab.page.evaluate(() => globalThis.benchProbe.longTasks());
  return {
    done: good.map(({ record }) => record.done ?? Number.NaN),
    paint: good.map(({ record }) => record.paint),
    delay: good.map(({ record }) => record.delay),
    event,
    cpu: good.map(({ cpu }) => cpu),
    script: good.map(({ script }) => script),
    style: good.map(({ style }) => style),
    layout: good.map(({ layout }) => layout),
    longTasks: longAfter - longBefore,
    lost: keys.filter(({ record }) => record.done === null).length,
    void: keys.filter(({ record }) => record.wasTrue).length,
  };
}
