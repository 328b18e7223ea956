// Values as the public API writes them: ISO times, calendar days, ids, numbers that place things. Each says in the
// registry below how the OpenAPI document shows it.
import * as z from 'zod/mini';
import { parseId } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { parseOrdinal } from '#core/ordinal.ts';
import { isDay, isZone } from '#core/when.ts';
import { textSchema } from '../values.ts';

/** What the OpenAPI document says of a schema besides its shape. Schemas with an `id` become components. */
export interface ApiNote {
  readonly id?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly example?: unknown;
  readonly maxLength?: number;
  /** Of a schema whose shape cannot be seen. */
  readonly shape?: Readonly<Record<string, unknown>>;
}

export const apiNotes = z.registry<ApiNote>();

/** The schema itself; what the documentation says of it is kept beside it. */
export function noted<T extends z.ZodMiniType>(schema: T, note: ApiNote): T {
  apiNotes.add(schema, note);
  return schema;
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+ -])(\d{2}):?(\d{2}))?$/;

/**
 * Milliseconds of an ISO 8601 time; one without an offset is in UTC. In an address that was not encoded, the plus of an
 * offset arrives as a space. Null when it is none, or not in 1900–9999.
 */
export function parseMoment(text: string): number | null {
  const found = MOMENT.exec(text.trim());
  if (!found) return null;
  const [
    ,
    day = '',
    hour = '',
    minute = '',
    second = '0',
    fraction = '',
    ,
    sign,
    hours = '0',
    minutes = '0',
  ] = found;
  if (!isDay(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(hours) > 18 || Number(minutes) > 59) return null;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const local = Date.parse(`${day}T${hour}:${minute}:00Z`) + Number(second) * 1_000 + ms;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? local + offset : local - offset;
}

export const momentSchema = noted(
  z
    .string()
    .check(
      z.refine(
        (text) => parseMoment(text) !== null,
        'is not an ISO 8601 time such as 2026-11-27T17:00:00Z; for a day without a time use the timeless_ field',
      ),
    ),
  { format: 'date-time', example: '2026-11-27T17:00:00.000Z' },
);

/** A time to compare with; a day means its beginning in UTC. */
export function parseBound(text: string): number | null {
  return isDay(text) ? Date.parse(`${text}T00:00:00Z`) : parseMoment(text);
}

export const boundSchema = noted(
  z
    .string()
    .check(
      z.refine((text) => parseBound(text) !== null, 'is not an ISO 8601 time such as 2026-11-27T17:00:00Z'),
    ),
  { format: 'date-time', example: '2026-11-27T17:00:00.000Z' },
);

export const daySchema = noted(z.string().check(z.refine(isDay, 'is not a day such as 2026-11-27')), {
  format: 'date',
  example: '2026-11-27',
});

export const zoneSchema = noted(
  z
    .string()
    .check(z.refine((text) => text.length <= 64 && isZone(text), 'is not a time zone such as Europe/Paris')),
  {
    description:
      'The zone that the times of this request were said in, so that a repeating task keeps its hour.',
    example: 'Europe/Paris',
  },
);

/** Any letter case; read with parseId. */
export const apiIdSchema = noted(
  z.string().check(z.refine((text) => parseId(text) !== null, 'is not an id')),
  {
    format: 'uuid',
    example: '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77',
  },
);

export const apiTextSchema = (most: number) => noted(textSchema(most), { maxLength: most });

/** Keys are only data, so the map is taken as it came; a copy would lose some names. */
export const metadataSchema = noted(
  z
    .custom<Readonly<Record<string, string>>>(
      (value) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.values(value).every((text) => typeof text === 'string'),
      'must be an object whose values are all text',
    )
    .check(
      z.refine(
        (map) => JSON.stringify(map).length <= limits.metadataCharacters,
        `is longer than ${limits.metadataCharacters} characters when written as JSON`,
      ),
      z.refine(
        (map) => Object.keys(map).every((key) => key.length > 0 && key.length <= 180),
        'has a key that is empty or longer than 180 characters',
      ),
      z.refine(
        (map) => Object.entries(map).every((pair) => pair.every((text) => isStorable(text))),
        'contains characters that cannot be stored',
      ),
    ),
  {
    description: 'Keys and values are text; at most 1,024 characters as JSON.',
    example: { source: 'crm' },
    shape: { type: 'object', additionalProperties: { type: 'string' } },
  },
);

const storable = textSchema(limits.metadataCharacters);
function isStorable(text: string): boolean {
  return storable.safeParse(text).success;
}

export const ordinalSchema = noted(
  z.string().check(
    z.maxLength(4_096),
    z.refine((text) => parseOrdinal(text) !== null, 'is not a base 62 number'),
  ),
  {
    pattern: '^[0-9a-zA-Z]+(\\.[0-9a-zA-Z]*)?$',
    description: 'A number in base 62; orders the tasks of a list.',
  },
);

export const indexSchema = z.number().check(z.refine((value) => Number.isFinite(value), 'is not a number'));

export const colorSchema = noted(
  z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'is not a color such as #3366ff')),
  { pattern: '^#[0-9a-fA-F]{6}$', example: '#3366ff' },
);

/** A field that may be left out; null means the same unless the description says that it clears. */
export const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));
