// What goes wrong in a fault run, and in which order: a seed gives the same plan for ever. When exactly each fault meets which
// request is the machine's business and differs from run to run.
import { SeededRandom } from '../../simulator/random.ts';

export interface PlanOptions {
  readonly seed: number;
  readonly engines: number;
  /** Ends of the server without notice. */
  readonly kills: number;
  /** Older states put back. */
  readonly restores: number;
}

export type Fault =
  | { readonly type: 'kill server' }
  | { readonly type: 'restart server' }
  | { readonly type: 'crash database' }
  /** Its clock goes on as it went: a device cannot know how its clock was changed while it did not run. */
  | { readonly type: 'kill engine'; readonly engine: number }
  | { readonly type: 'jump clock'; readonly engine: number; readonly shiftMs: number }
  | { readonly type: 'backup' }
  /** Which of the backups there are, as a part of them: 0 is the oldest, 1 the newest. */
  | { readonly type: 'restore'; readonly which: number }
  | { readonly type: 'fill disk'; readonly ms: number; readonly kills: boolean };

export interface Step {
  /** Work goes on undisturbed for so long. */
  readonly afterMs: number;
  readonly fault: Fault;
}

const HALF_DAY_MS = 12 * 3_600_000;

/** By how much a device's clock is wrong. */
export function drawShift(random: SeededRandom): number {
  return random.between(-HALF_DAY_MS, HALF_DAY_MS);
}

function drawOther(random: SeededRandom, engines: number): Fault {
  const engine = random.below(engines);
  const draw = random.below(100);
  if (draw < 45) return { type: 'kill engine', engine };
  if (draw < 75) return { type: 'jump clock', engine, shiftMs: drawShift(random) };
  if (draw < 85) return { type: 'backup' };
  if (draw < 92) return { type: 'restart server' };
  return { type: 'crash database' };
}

function shuffle<T>(items: T[], random: SeededRandom): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [items[at], items[other]] = [items[other] as T, items[at] as T];
  }
  return items;
}

/** One part for every restore, each with its share of everything else before it. */
export function makePlan({ seed, engines, kills, restores }: PlanOptions): readonly Step[] {
  const random = new SeededRandom(seed);
  const parts = restores + 1;
  const steps: Step[] = [];
  for (let part = 0; part < parts; part += 1) {
    const share = Math.floor((kills * (part + 1)) / parts) - Math.floor((kills * part) / parts);
    const faults: Fault[] = [{ type: 'backup' }];
    for (let kill = 0; kill < share; kill += 1) {
      faults.push({ type: 'kill server' }, drawOther(random, engines));
    }
    if (part % 2 === 0)
      faults.push({ type: 'fill disk', ms: random.between(600, 1_800), kills: random.chance(0.5) });
    shuffle(faults, random);
    if (part < restores) faults.push({ type: 'restore', which: random.fraction() });
    steps.push(...faults.map((fault) => ({ afterMs: random.between(150, 900), fault })));
  }
  return steps;
}
