// Values as the public API writes them: ISO times, calendar days, ids, and numbers that define an order. The registry
// below holds how the OpenAPI document shows each.
import * as z from 'zod/mini';
import { parseId } from '#core/ids.ts';
import { limits, scalarNames, type ScalarName } from '#core/model.ts';
import { parseOrdinal } from '#core/ordinal.ts';
import { scalarField, type ScalarMember } from '#core/task-fields.ts';
import { isDay, isInstant, isZone } from '#core/when.ts';
import { scalarSchemas, textSchema, utf8Length } from '../values.ts';

/** What the OpenAPI document says about a schema besides its shape. Schemas with an `id` become components. */
export interface ApiNote {
  readonly id?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly example?: unknown;
  readonly maxLength?: number;
  /** For schemas whose shape cannot be derived. */
  readonly shape?: Readonly<Record<string, unknown>>;
}

export const apiNotes = z.registry<ApiNote>();

/** Records a note about a schema for the documentation, and returns the schema itself. */
export function noted<T extends z.ZodMiniType>(schema: T, note: ApiNote): T {
  apiNotes.add(schema, note);
  return schema;
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+ -])(\d{2}):?(\d{2}))?$/;

/**
 * Milliseconds of an ISO 8601 time; without an offset it is in UTC. In an unencoded address, the plus of an offset
 * arrives as a space. Null when it is not a time, or its day is outside 1900–9999.
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
  z.string().check(
    z.refine(
      (text) => parseMoment(text) !== null,
      "isn't an ISO 8601 time like 2026-11-27T17:00:00Z. For a day without a time, use the timeless_ field",
    ),
    z.refine((text) => isInstant(parseMoment(text) ?? 0), "isn't between 1900-01-01 and 9999-12-31 in UTC"),
  ),
  { format: 'date-time', example: '2026-11-27T17:00:00.000Z' },
);

/** A time to compare with; a day means its start in UTC. */
export function parseBound(text: string): number | null {
  return isDay(text) ? Date.parse(`${text}T00:00:00Z`) : parseMoment(text);
}

export const boundSchema = noted(
  z
    .string()
    .check(z.refine((text) => parseBound(text) !== null, "isn't an ISO 8601 time like 2026-11-27T17:00:00Z")),
  { format: 'date-time', example: '2026-11-27T17:00:00.000Z' },
);

export const daySchema = noted(z.string().check(z.refine(isDay, "isn't a day like 2026-11-27")), {
  format: 'date',
  example: '2026-11-27',
});

export const zoneSchema = noted(
  z
    .string()
    .check(z.refine((text) => text.length <= 64 && isZone(text), "isn't a time zone like Europe/Paris")),
  {
    description: 'The time zone of the times in this request, so a repeating task keeps its hour.',
    example: 'Europe/Paris',
  },
);

/** In any letter case; read with parseId. */
export const apiIdSchema = noted(
  z.string().check(z.refine((text) => parseId(text) !== null, "isn't an id")),
  {
    format: 'uuid',
    example: '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77',
  },
);

/** Names something that exists. A text that is not an id matches nothing, like an unknown id. */
export const referenceSchema = noted(z.string().check(z.maxLength(200)), {
  format: 'uuid',
  example: '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77',
});

export const apiTextSchema = (most: number) => noted(textSchema(most), { maxLength: most });

/**
 * Notes are limited in bytes, counted after line ends have become
 * .
 */
export const apiNotesSchema = noted(
  textSchema(limits.notesBytes * 2).check(
    z.refine(
      (text) => text.length * 3 <= limits.notesBytes || utf8Length(linesOf(text)) <= limits.notesBytes,
      `is longer than ${limits.notesBytes} bytes of UTF-8`,
    ),
  ),
  { description: `Markdown, at most ${limits.notesBytes.toLocaleString('en')} bytes of UTF-8.` },
);

/**
 * Text as it is stored: lines end in
 * .
 */
export function linesOf(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/** Keys are only data, so the map is taken as it is; a copy would lose some names. */
export const metadataSchema = noted(
  z
    .custom<Readonly<Record<string, string>>>(
      (value) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.values(value).every((text) => typeof text === 'string'),
      'must be an object with text values only',
    )
    .check(
      z.refine(
        (map) => JSON.stringify(map).length <= limits.metadataCharacters,
        `is longer than ${limits.metadataCharacters} characters as JSON`,
      ),
      z.refine(
        (map) => Object.keys(map).every((key) => key.length > 0 && key.length <= 180),
        "has a key that's empty or longer than 180 characters",
      ),
      z.refine(
        (map) => Object.entries(map).every((pair) => pair.every((text) => isStorable(text))),
        "contains characters that can't be stored",
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

/** More digits than the deepest task has, or than fit between two of them. */
const ORDINAL_DIGITS = 4 * limits.depth * limits.keyCharacters;

export const ordinalSchema = noted(
  z.string().check(
    z.maxLength(ORDINAL_DIGITS),
    z.refine((text) => parseOrdinal(text) !== null, "isn't a base 62 number"),
  ),
  {
    pattern: '^([0-9a-zA-Z]+(\\.[0-9a-zA-Z]*)?|\\.[0-9a-zA-Z]+)$',
    description:
      "A number in base 62, with the digits 0–9, a–z, A–Z in this order. It orders the tasks in a list. Don't sort it as text. Use `order_index`, which sorts as a number.",
  },
);

export const indexSchema = z.number().check(z.refine((value) => Number.isFinite(value), "isn't a number"));

export const colorSchema = noted(
  z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, "isn't a color like #3366ff")),
  { pattern: '^#[0-9a-fA-F]{6}$', example: '#3366ff' },
);

/** An optional field; null means the same unless its description says that it clears. */
export const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));

/** An object with a member for each scalar task field, under its name in the API. */
export function scalarMembers<Value>(value: (name: ScalarName) => Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(scalarNames.map((name) => [scalarField(name).api, value(name)]));
}

type Schemas = typeof scalarSchemas;

/** Scalar fields in a request: left out, they stay; null clears. */
export const scalarChanges = scalarMembers((name) => maybe(scalarSchemas[name])) as unknown as {
  readonly [Name in ScalarName as ScalarMember<Name>]: z.ZodMiniOptional<z.ZodMiniNullable<Schemas[Name]>>;
};

/** Scalar fields in an answer. */
export const scalarAnswers = scalarMembers((name) => z.nullable(scalarSchemas[name])) as unknown as {
  readonly [Name in ScalarName as ScalarMember<Name>]: z.ZodMiniNullable<Schemas[Name]>;
};
