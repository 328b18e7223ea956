// Times one synchronous step many times over.
import { type Distribution, distributionOf } from '../statistics.ts';

/** Milliseconds per call, after a few unmeasured ones; `step` gets the number of the call. */
export function timeSteps(
  count: number,
  step: (at: number) => void,
  prepare: (at: number) => void = () => undefined,
): Distribution {
  const warmUp = Math.min(20, Math.ceil(count / 5));
  const times: number[] = [];
  for (let at = 0; at < count + warmUp; at += 1) {
    prepare(at);
    const startedAt = performance.now();
    step(at);
    const spent = performance.now() - startedAt;
    if (at >= warmUp) times.push(spent);
  }
  return distributionOf(times);
}
