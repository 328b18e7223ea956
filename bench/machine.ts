// What the machine was like while a figure was taken: without it a figure from a shared machine says little.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

const CALIBRATION_STEPS = 20_000_000;

/** A fixed amount of integer work on one core, in milliseconds. It rises when neighbours take the core. */
function calibrate(): number {
  const startedAt = performance.now();
  let state = 0x9e3779b9;
  for (let step = 0; step < CALIBRATION_STEPS; step += 1) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + step;
  }
  // Using the result keeps the loop from being optimised away.
  return performance.now() - startedAt + (state === 0 ? 1e-9 : 0);
}

export interface Conditions {
  readonly calibrationMs: number;
  /** Processes wanting a core, averaged over the last minute. */
  readonly load: number;
}

export function conditions(): Conditions {
  return { calibrationMs: calibrate(), load: loadavg()[0] ?? 0 };
}

export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${model}), ${memory} GB, ${process.platform}, Node ${process.versions.node}`;
}
