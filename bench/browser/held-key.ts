// A key held down: repeats at 30 Hz whether or not the page keeps up.
import { setTimeout as pause } from 'node:timers/promises';
import type { Tab } from './chromium.ts';
import type { HeldRecord } from './probe.ts';

const REPEATS = 60;
const REPEAT_MS = 1_000 / 30;
const SETTLE_MS = 800;

export interface HeldSamples extends HeldRecord {
  readonly repeats: number;
}

export async function holdArrowDown({ page, cdp }: Tab): Promise<HeldSamples> {
  await page.evaluate(() => globalThis.benchProbe.watchHeld('position'));
  const key = { key: 'ArrowDown', code: 'ArrowDown', windowsVirtualKeyCode: 40 } as const;
  const sent: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let at = 0; at < REPEATS; at += 1) {
    sent.push(cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key, autoRepeat: at > 0 }));
    await pause(Math.max(0, startedAt + (at + 1) * REPEAT_MS - performance.now()));
  }
  sent.push(cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }));
  await Promise.all(sent);
  const record = await page.evaluate((settle) => globalThis.benchProbe.heldResult(settle), SETTLE_MS);
  return { ...record, repeats: REPEATS };
}
