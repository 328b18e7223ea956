// Reads dates that programs write: ISO days, times and moments, RFC 5545, and days with the name of a month in the
// language of the file. Words beyond these are read by our own grammar (core/dates), in English.
import { readDate } from '../../dates/phrase.ts';
import type { PhraseContext } from '../../dates/reader.ts';
import { english } from '../../dates/vocabulary.ts';
import { isInstant, isWhen, isZone, momentOf, type When } from '../../when.ts';
import type { RawDate } from './draft.ts';

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const BASIC = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/;
/** "15 Apr. 2033": the dot is no end. */
const DOTTED_MONTH = /(?<=\p{L}{3})\.(?=\s|$)/gu;
const DAY_MONTH =
  /^(\d{1,2})(?:\.|er|º|ª|°)?\s*(?:de\s+|di\s+)?(\p{L}[\p{L}\p{M}]{1,14})\.?(?:,?\s*(?:de\s+|di\s+)?(\d{4})\.?)?(?:,?\s+(?:um\s+|à\s+|a las\s+|alle\s+|às\s+|om\s+|kl\.?\s+|at\s+)?(\d{1,2})[:.h](\d\d))?$/iu;
const CJK = /^(?:(\d{4})\s*[年년]\s*)?(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?(?:\s+(\d{1,2}):(\d\d))?$/u;

/** A day, if it exists. */
export function dayOf(text: string): When | null {
  const when = { on: text };
  return isWhen(when) ? when : null;
}

/** A moment in milliseconds, in a zone; null outside of what dates can hold. */
export function instantOf(at: number, zone: string): When | null {
  const rounded = Math.round(at);
  return isInstant(rounded) ? { at: rounded, zone } : null;
}

/** The calendar day of a moment in a zone; null outside of what dates can hold. */
export function dayAt(at: number, zone: string): string | null {
  if (!isInstant(Math.round(at))) return null;
  return Temporal.Instant.fromEpochMilliseconds(Math.round(at))
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();
}

/** A known zone, else the other. Common names of Windows are known, too. */
export function zoneOr(zone: string | undefined, otherwise: string): string {
  const name = (zone ?? '').trim();
  if (name === '') return otherwise;
  if (isZone(name)) return name;
  return WINDOWS_ZONES.get(name) ?? otherwise;
}

const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Pacific Standard Time': 'America/Los_Angeles',
    'Mountain Standard Time': 'America/Denver',
    'Central Standard Time': 'America/Chicago',
    'Eastern Standard Time': 'America/New_York',
    'GMT Standard Time': 'Europe/London',
    'W. Europe Standard Time': 'Europe/Berlin',
    'Central European Standard Time': 'Europe/Warsaw',
    'Central Europe Standard Time': 'Europe/Budapest',
    'Romance Standard Time': 'Europe/Paris',
    'E. Europe Standard Time': 'Europe/Chisinau',
    'FLE Standard Time': 'Europe/Kiev',
    'GTB Standard Time': 'Europe/Bucharest',
    'Russian Standard Time': 'Europe/Moscow',
    'India Standard Time': 'Asia/Kolkata',
    'China Standard Time': 'Asia/Shanghai',
    'Tokyo Standard Time': 'Asia/Tokyo',
    'AUS Eastern Standard Time': 'Australia/Sydney',
    'New Zealand Standard Time': 'Pacific/Auckland',
    'E. South America Standard Time': 'America/Sao_Paulo',
    'tzone://Microsoft/Utc': 'UTC',
  }),
);

/** A date as programs write it; null for anything else, also for days that do not exist. */
export function readIso(text: string, zone: string): When | null {
  const [whole, day = '', hour, minute = '', second = '', offset] = ISO.exec(text) ?? [];
  if (whole === undefined) return readBasic(text, zone);
  if (hour === undefined) return dayOf(day);
  if (offset === undefined) {
    const local = {
      local: `${day}T${hour}:${minute}${second === '' || second === '00' ? '' : `:${second}`}`,
    };
    return isWhen(local) ? local : null;
  }
  try {
    const time = `${hour}:${minute}:${second === '' ? '00' : second}`;
    const from =
      offset === 'Z' || offset.includes(':') || offset.length === 3
        ? offset
        : `${offset.slice(0, 3)}:${offset.slice(3)}`;
    return instantOf(Temporal.Instant.from(`${day}T${time}${from}`).epochMilliseconds, zone);
  } catch {
    // It looked like a moment, but does not exist: 2026-02-30.
    return null;
  }
}

/** `20260228`, `20260228T170000`, `20260228T170000Z`. */
function readBasic(text: string, zone: string): When | null {
  const [whole, year = '', month = '', day = '', hour, minute = '', second = '00', utc] =
    BASIC.exec(text) ?? [];
  if (whole === undefined) return null;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return dayOf(date);
  return readIso(`${date}T${hour}:${minute}:${second}${utc ?? ''}`, zone);
}

const monthNames = new Map<string, ReadonlyMap<string, number>>();

/** The names of months in a language, long and short, without dots. Empty for an unknown language. */
function monthsIn(language: string): ReadonlyMap<string, number> {
  const known = monthNames.get(language);
  if (known) return known;
  const names = new Map<string, number>();
  try {
    for (let month = 1; month <= 12; month += 1) {
      const day = new Temporal.PlainDate(2026, month, 11);
      for (const length of ['long', 'short'] as const)
        for (const options of [{ month: length }, { month: length, day: 'numeric' as const }]) {
          const said = day.toLocaleString(language, options).toLocaleLowerCase(language);
          const [name] = /\p{L}[\p{L}\p{M}]+/u.exec(said.replace(/\bde\b/, '')) ?? [];
          if (name !== undefined && name.length > 1) names.set(name, month);
        }
    }
  } catch {
    // No language: its words stay words.
    names.clear();
  }
  monthNames.set(language, names);
  return names;
}

function monthOf(word: string, language: string): number | null {
  const names = monthsIn(language);
  // No known language: its name may not even be one.
  if (names.size === 0) return null;
  const said = word.toLocaleLowerCase(language);
  const exact = names.get(said);
  if (exact !== undefined) return exact;
  if (said.length < 3) return null;
  // "Sept", "märz" where the language has "mär" or "september".
  const near = new Set(
    [...names]
      .filter(([name]) => name.startsWith(said) || (said.startsWith(name) && name.length > 2))
      .map(([, month]) => month),
  );
  const [only] = near;
  return near.size === 1 && only !== undefined ? only : null;
}

/** The day with the name of its month in another language: "8. Jul", "30 März 2026", "7月8日 10:00". */
function readForeign(text: string, language: string, context: PhraseContext): When | null {
  const [whole, day = '', name = '', year, hour, minute] = DAY_MONTH.exec(text) ?? [];
  const cjk = whole === undefined ? CJK.exec(text) : null;
  if (cjk)
    return dated(
      { day: cjk[3] ?? '', month: Number(cjk[2]), year: cjk[1], hour: cjk[4], minute: cjk[5] },
      context,
    );
  if (whole === undefined) return null;
  const month = monthOf(name, language);
  return month === null ? null : dated({ day, month, year, hour, minute }, context);
}

interface Parts {
  readonly day: string;
  readonly month: number;
  readonly year: string | undefined;
  readonly hour: string | undefined;
  readonly minute: string | undefined;
}

/** Without a year it is of the year in which the file was written. */
function dated(
  { day, month, year, hour, minute }: Parts,
  { now, zone, writtenAt }: PhraseContext,
): When | null {
  const written = Temporal.Instant.fromEpochMilliseconds(writtenAt ?? now).toZonedDateTimeISO(zone).year;
  const two = (value: number | string) => String(value).padStart(2, '0');
  const on = `${year ?? written}-${two(month)}-${two(day)}`;
  if (hour === undefined) return dayOf(on);
  const when = { local: `${on}T${two(hour)}:${minute ?? '00'}` };
  return isWhen(when) ? when : null;
}

const isEnglish = (language: string) => language === '' || /^en\b/i.test(language);

/** Reads dates for one person; remembers what it read, because rows repeat. */
export class DateReader {
  readonly #context: PhraseContext;
  readonly #known = new Map<string, When | null>();

  constructor(context: PhraseContext) {
    this.#context = context;
  }

  /** The date that the file means; null: not understood. `writtenAt`: when the file was written, if known. */
  read(date: RawDate, writtenAt: number | null): When | null {
    if ('when' in date) return isWhen(date.when) ? date.when : null;
    const { words, language = '', zone = '' } = date;
    const key = `${writtenAt ?? ''}\n${language}\n${zone}\n${words}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const read = this.#readWords(words.trim(), language.trim(), { zone, writtenAt });
    this.#known.set(key, read);
    return read;
  }

  /** The moment of a date, milliseconds; of a day its noon. Never later than now. */
  moment(date: RawDate, writtenAt: number | null): number | null {
    const when = this.read(date, writtenAt);
    if (when === null) return null;
    const at = 'on' in when ? { local: `${when.on}T12:00` } : when;
    const zone = 'words' in date ? zoneOr(date.zone, this.#context.zone) : this.#context.zone;
    return Math.min(this.#context.now, momentOf(at, zone));
  }

  #readWords(
    text: string,
    language: string,
    { zone, writtenAt }: { zone: string; writtenAt: number | null },
  ): When | null {
    const inZone = zoneOr(zone, this.#context.zone);
    const iso = readIso(text, inZone);
    if (iso !== null) return withZone(iso, zone);
    if (/^\d{4}-?\d\d-?\d\d/.test(text) && ISO.test(text)) return null;
    const context = { ...this.#context, zone: inZone, writtenAt: writtenAt ?? this.#context.now };
    if (!isEnglish(language)) {
      const foreign = readForeign(text, language, context);
      return foreign === null ? null : withZone(foreign, zone);
    }
    const [read] = readDate(text.replace(DOTTED_MONTH, ' '), context, { vocabulary: english });
    // Nothing is guessed, and no half of a span is lost.
    if (!read?.when || read.isGuess || read.start !== undefined || read.duration !== null) return null;
    return zoneOr(zone, '') === '' ? floating(read.when) : withZone(read.when, zone);
  }
}

/** A time of day with a zone beside it is a moment in that zone. */
function withZone(when: When, zone: string): When {
  if (!('local' in when)) return when;
  const known = zoneOr(zone, '');
  return known === '' ? when : { at: momentOf(when, known), zone: known };
}

/** A time that words name without a zone is by the clock on the wall. */
export function floating(when: When): When {
  if (!('at' in when)) return when;
  const at = Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone);
  return { local: at.toPlainDateTime().toString({ smallestUnit: 'minute' }) };
}
