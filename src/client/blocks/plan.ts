// What is typed for a time block, "today 14:00 45m", "tomorrow 9-10:30", and the value that its command gets.
import { type BlockTimes, readBlockTimes, type ReadBlockTimes } from '#core/calendar/block-phrase.ts';
import { blockLimits } from '#core/calendar/blocks.ts';
import { isRecord, readJson } from '#core/json.ts';
import { isWhen } from '#core/when.ts';
import type { Program } from '../app/program.ts';
import { phraseContext } from '../pickers/phrase-context.ts';

/** When, and how long. */
export type Plan = BlockTimes;

const MINUTE_MS = 60_000;

/** The plans that the words may mean, best first; `needsTime`: they name a day only. */
export function readPlans(program: Program, text: string): ReadBlockTimes {
  return readBlockTimes(text, phraseContext(program, null));
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
