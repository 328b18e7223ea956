// The moment that docs/rules/dates.md is said at, in any zone, and how its tables write readings.
import { readFileSync } from 'node:fs';
import { plainContext } from '#core/dates/plain-context.ts';
import type { Reading } from '#core/dates/phrase.ts';
import type { PhraseContext } from '#core/dates/reader.ts';
import type { When } from '#core/when.ts';

/** Zones west and east of everything, with odd offsets, and one that moves its clock by half an hour. */
export const zones = [
  'Pacific/Pago_Pago',
  'America/New_York',
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Tongatapu',
  'Pacific/Kiritimati',
] as const;

export function saidAt(
  zone: string,
  changes: Partial<PhraseContext> = {},
  wall = '2026-11-20T14:30',
): PhraseContext {
  return {
    ...plainContext(Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds, zone),
    ...changes,
  };
}

const DAYS = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** "Fri 2026-11-27 17:00": by the clock on the wall of the zone it was said in. */
export function written(when: When | null): string {
  if (when === null) return 'no date';
  if ('on' in when) return `${DAYS[Temporal.PlainDate.from(when.on).dayOfWeek] ?? ''} ${when.on}`;
  if ('local' in when) return when.local;
  const wall = Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone);
  const time = wall.toPlainTime().toString({ smallestUnit: 'minute' });
  return `${DAYS[wall.dayOfWeek] ?? ''} ${wall.toPlainDate().toString()} ${time}`;
}

export function writtenAll(readings: readonly Reading[]): string {
  if (readings.length === 0) return '–';
  const one = ({ when, start, duration }: Reading) =>
    `${written(when)}${start ? ` from ${written(start)}` : ''}${duration === null ? '' : ` for ${duration} min`}`;
  return readings.map(one).join(' · ');
}

/** Rows of the tables under a heading of the second or third level, without those of the headings below it. */
export function tableRows(heading: RegExp): readonly (readonly [string, string, string])[] {
  const text = readFileSync(new URL('../../docs/rules/dates.md', import.meta.url), 'utf8');
  const sections = text
    .split(/^(?=###? )/m)
    .filter((section) => heading.test(section.split('\n', 1)[0] ?? ''));
  return sections.flatMap((section) =>
    section
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (Phrase|Line) /.test(line))
      .map((line) => {
        const [, phrase = '', reading = '', more = ''] = line.split(/(?<!\\)\| ?/);
        return [phrase.trim(), reading.trim(), more.trim()] as const;
      }),
  );
}
