// The real clock and the real identifiers of the server process. Everything else is handed these.
import { randomFillSync } from 'node:crypto';
import { createIdSource } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

export function createSystemIds(clock: Clock) {
  return createIdSource({ now: () => clock.now(), random: (bytes) => void randomFillSync(bytes) });
}
