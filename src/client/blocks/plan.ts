// What is typed for a time block, "today 14:00 45m", "tomorrow 9-10:30", and the value that its command gets.
import { blockLimits, wallOf } from '#core/calendar/blocks.ts';
import { readDate, readDuration } from '#core/dates/phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { isRecord, readJson } from '#core/json.ts';
import { isDayWhen, isInstantWhen, isWhen } from '#core/when.ts';
import type { Program } from '../app/program.ts';
import { phraseContext } from '../pickers/phrase-context.ts';

/** When, and how long. */
export interface Plan {
  /** As `Block.start`. */
  readonly start: number;
  /** Null: nothing was said about it. */
  readonly minutes: number | null;
  /** As `Block.zone`. */
  readonly zone?: string | undefined;
}

const MINUTE_MS = 60_000;
/** Words of a length: "an hour and a half". */
const MOST_WORDS = 5;

/** The plans that the words may mean, best first; `needsTime`: they name a day only. */
export function readPlans(
  program: Program,
  text: string,
): { readonly plans: readonly Plan[]; readonly needsTime: boolean } {
  const whole = readTimes(program, text, null);
  if (whole.plans.length > 0) return whole;
  const words = text.trim().split(/\s+/);
  for (let count = 1; count <= Math.min(MOST_WORDS, words.length - 1); count += 1) {
    const tail = words.slice(-count).join(' ');
    const minutes = /[a-z]/i.test(tail) ? readDuration(tail, { vocabulary: english }) : null;
    if (minutes === null || minutes > blockLimits.minutes) continue;
    const found = readTimes(program, words.slice(0, -count).join(' '), minutes);
    if (found.plans.length > 0 || found.needsTime) return found;
  }
  return whole;
}

function readTimes(program: Program, text: string, minutes: number | null): ReturnType<typeof readPlans> {
  const readings = readDate(text, phraseContext(program, null), { vocabulary: english });
  const here = program.platform.zone();
  const plans = readings.flatMap(({ when, start, duration }): Plan[] => {
    if (when === null || start !== undefined || isDayWhen(when)) return [];
    const length = minutes ?? duration;
    if (length !== null && length > blockLimits.minutes) return [];
    const zone = isInstantWhen(when) && when.zone !== here ? { zone: when.zone } : {};
    const wall = isInstantWhen(when) ? wallOf(when.at, when.zone) : Date.parse(`${when.local}Z`);
    return [{ start: Math.floor(wall / MINUTE_MS) * MINUTE_MS, minutes: length, ...zone }];
  });
  return { plans, needsTime: plans.length === 0 && readings.some(({ when }) => when !== null) };
}

/** The value of a picked plan or of one to remove, as the command gets it; else words. */
export type PlanChoice = { readonly plan: Plan } | { readonly remove: string };

/** What a command was given: an object of the picker, or words. Null: neither. */
export function givenPlan(program: Program, value: string): PlanChoice | null {
  const made = value.startsWith('{') ? readJson(value) : null;
  if (!isRecord(made)) {
    const [plan] = readPlans(program, value).plans;
    return plan === undefined ? null : { plan };
  }
  const { remove, plan } = made;
  if (typeof remove === 'string') return { remove };
  return isPlan(plan) ? { plan } : null;
}

function isPlan(value: unknown): value is Plan {
  if (!isRecord(value)) return false;
  const { start, minutes, zone } = value;
  const isStart = typeof start === 'number' && Number.isInteger(start) && start % MINUTE_MS === 0;
  const isLength =
    minutes === null ||
    (typeof minutes === 'number' &&
      Number.isInteger(minutes) &&
      minutes > 0 &&
      minutes <= blockLimits.minutes);
  const isPlace = zone === undefined || isWhen({ at: 0, zone });
  return isStart && isLength && isPlace;
}
