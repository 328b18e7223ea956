// Which zone a calendar means by a name: one of IANA, one of Windows, one with a prefix of the program that wrote it, or one that the file describes
// itself. Rules of IANA come first: those in files are often of the year in which the program was made.
import ICAL from 'ical.js';
import { windowsZones } from './windows-zones.ts';

/** Turns times of a clock on the wall into moments. */
export interface EventZone {
  /** IANA name; null: the file alone describes it. */
  readonly name: string | null;
  /** Wall milliseconds. A time that doesn't exist is moved on, one that exists twice is the first. */
  at(local: Temporal.PlainDateTime): number;
}

const known = new Map<string, string | null>();

/** The name as the runtime knows it; null: it knows no such zone. */
function ianaName(name: string): string | null {
  const before = known.get(name);
  if (before !== undefined) return before;
  let found: string | null = null;
  try {
    found = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // No zone of this runtime.
  }
  // Files name what they like: a map that grows with them would be theirs.
  if (known.size < 1_000) known.set(name, found);
  return found;
}

const zoneOf = (name: string): EventZone => ({
  name,
  at: (local) => local.toZonedDateTime(name, { disambiguation: 'compatible' }).epochMilliseconds,
});

/** "(UTC+01:00) Amsterdam, Berlin": a name for people, with the offset in it. */
const OFFSET = /^\(?(?:UTC|GMT)\s*([+-]\d{1,2}:?\d{2}|[+-]\d{1,2})\)?/i;

function offsetName(text: string): string | null {
  const found = OFFSET.exec(text)?.[1];
  if (found === undefined) return null;
  const [, sign = '+', hours = '0', minutes = '00'] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(found) ?? [];
  return `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** Some programs put a path of their own before the name: `/mozilla.org/20050126_1/Europe/Berlin`. */
function pathEnd(name: string): string | null {
  const parts = name.split('/').filter((part) => part !== '');
  for (const count of [3, 2]) {
    if (parts.length <= count && !name.startsWith('/')) continue;
    const found = ianaName(parts.slice(-count).join('/'));
    if (found !== null) return found;
  }
  return null;
}

/** The zone of a name that needs no description; null: there is none. */
export function namedZone(given: string): EventZone | null {
  const name = given.trim().replaceAll(/^"|"$/g, '');
  if (/^(?:z|utc|gmt|etc\/utc|tzone:\/\/microsoft\/utc)$/i.test(name)) return zoneOf('UTC');
  const windows = windowsZones[name.toLowerCase()];
  const found = ianaName(name) ?? windows ?? pathEnd(name) ?? offsetName(name);
  return found === null ? null : zoneOf(found);
}

/** The zone that a file describes (VTIMEZONE). */
function describedZone(description: ICAL.Component): EventZone {
  const zone = new ICAL.Timezone(description);
  return {
    name: null,
    at(local) {
      const { year, month, day, hour, minute, second } = local;
      const time = new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, zone);
      const utc = local.toZonedDateTime('UTC').epochMilliseconds;
      return utc - zone.utcOffset(time) * 1_000;
    },
  };
}

/** The zones of one file, by the names that its times use. */
export class FileZones {
  readonly #described = new Map<string, ICAL.Component>();
  readonly #found = new Map<string, EventZone | null>();

  constructor(descriptions: readonly ICAL.Component[]) {
    for (const description of descriptions) {
      const id = description.getFirstPropertyValue('tzid');
      if (typeof id === 'string') this.#described.set(id, description);
    }
  }

  /** Null: nobody knows it. */
  zone(name: string): EventZone | null {
    const before = this.#found.get(name);
    if (before !== undefined) return before;
    const description = this.#described.get(name);
    const found =
      namedZone(name) ?? this.#named(description) ?? (description ? describedZone(description) : null);
    this.#found.set(name, found);
    return found;
  }

  /** A description may say what it describes: `X-LIC-LOCATION:Europe/Berlin`. */
  #named(description: ICAL.Component | undefined): EventZone | null {
    const location = description?.getFirstPropertyValue('x-lic-location');
    return typeof location === 'string' ? namedZone(location) : null;
  }
}
