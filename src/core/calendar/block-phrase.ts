// When time is planned, in words: "today 14:00 45m", "tomorrow 9-10:30". The app, the command line and agents read them here.
import { readDate, readDuration } from '../dates/phrase.ts';
import type { PhraseContext } from '../dates/reader.ts';
import { english } from '../dates/vocabulary.ts';
import { isDayWhen, isInstantWhen } from '../when.ts';
import { blockLimits, wallOf } from './blocks.ts';

/** When, and how long. */
export interface BlockTimes {
  /** As `Block.start`. */
  readonly start: number;
  /** Null: nothing was said about it. */
  readonly minutes: number | null;
  /** As `Block.zone`. */
  readonly zone?: string | undefined;
}

/** What words may mean, best first; `needsTime`: they name a day only. */
export interface ReadBlockTimes {
  readonly plans: readonly BlockTimes[];
  readonly needsTime: boolean;
}

const MINUTE_MS = 60_000;
/** Words of a length: "an hour and a half". */
const MOST_WORDS = 5;

/** Reads a time with or without a length. A zone is only named where it is another one than that of `context`. */
export function readBlockTimes(text: string, context: PhraseContext): ReadBlockTimes {
  const whole = readTimes(text, context, null);
  if (whole.plans.length > 0) return whole;
  const words = text.trim().split(/\s+/);
  for (let count = 1; count <= Math.min(MOST_WORDS, words.length - 1); count += 1) {
    const tail = words.slice(-count).join(' ');
    const minutes = /[a-z]/i.test(tail) ? readDuration(tail, { vocabulary: english }) : null;
    if (minutes === null || minutes > blockLimits.minutes) continue;
    const found = readTimes(words.slice(0, -count).join(' '), context, minutes);
    if (found.plans.length > 0 || found.needsTime) return found;
  }
  return whole;
}

function readTimes(text: string, context: PhraseContext, minutes: number | null): ReadBlockTimes {
  const readings = readDate(text, context, { vocabulary: english });
  const plans = readings.flatMap(({ when, start, duration }): BlockTimes[] => {
    if (when === null || start !== undefined || isDayWhen(when)) return [];
    const length = minutes ?? duration;
    if (length !== null && length > blockLimits.minutes) return [];
    const zone = isInstantWhen(when) && when.zone !== context.zone ? { zone: when.zone } : {};
    const wall = isInstantWhen(when) ? wallOf(when.at, when.zone) : Date.parse(`${when.local}Z`);
    return [{ start: Math.floor(wall / MINUTE_MS) * MINUTE_MS, minutes: length, ...zone }];
  });
  return { plans, needsTime: plans.length === 0 && readings.some(({ when }) => when !== null) };
}
