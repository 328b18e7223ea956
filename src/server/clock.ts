// The real clock and the real identifiers of the server process. Everything else gets these passed in.
import { randomFillSync } from 'node:crypto';
import { createIdSource } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

export function createSystemIds(clock: Clock) {
  return createIdSource({ now: () => clock.now(), random: (bytes) => void randomFillSync(bytes) });
}

/**
 * For permanent removal: never later than the uptime of this process permits, so that a wall clock that jumps ahead deletes
 * nothing early. After the machine has slept it is behind until the next start, and data is kept longer.
 */
export function createPatientClock(clock: Clock): Clock {
  const startedAt = clock.now() - clock.monotonic();
  return {
    now: () => Math.min(clock.now(), startedAt + clock.monotonic()),
    monotonic: () => clock.monotonic(),
  };
}

const JUMP_MS = 5 * 60_000;
const SETTLE_MS = 2 * 60_000;

/** For timed sending: a jump ahead is believed after two minutes. A clock corrected within them has triggered nothing. */
export function createSettlingClock(clock: Clock): Clock {
  /** The wall clock's lead over the monotonic one: as believed, and as last seen. */
  let believed = clock.now() - clock.monotonic();
  let seen = believed;
  let seenSince: number | null = null;

  function look(): void {
    const monotonic = clock.monotonic();
    const ahead = clock.now() - monotonic;
    const isSteady = ahead - believed < JUMP_MS;
    const isSettled = seenSince !== null && monotonic - seenSince >= SETTLE_MS;
    const isElsewhere = Math.abs(ahead - seen) >= JUMP_MS;
    if (isSteady || (isSettled && !isElsewhere)) {
      believed = ahead;
      seenSince = null;
    } else if (seenSince === null || isElsewhere) seenSince = monotonic;
    seen = ahead;
  }

  return {
    now() {
      look();
      return believed + clock.monotonic();
    },
    monotonic: () => clock.monotonic(),
  };
}
