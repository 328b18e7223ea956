// Schemas of the domain's values, shared by every message. One schema per shape, for both ends.
import * as z from 'zod/mini';
import { isId, type Id } from '#core/ids.ts';
import {
  limits,
  repeatUnits,
  type EntityType,
  type RepeatRule,
  type SeriesValues,
  type Status,
} from '#core/model.ts';
import { reminderLimits, type Reminder } from '#core/reminders.ts';
import { isWhen, type When } from '#core/when.ts';

/** A canonical lower-case UUID. */
export const idSchema = z.custom<Id>(isId, 'not an id');

export const entityTypeSchema = z.enum([
  'task',
  'list',
  'label',
  'labelGroup',
  'mine',
  'completion',
  'attachment',
  'setting',
] satisfies EntityType[]);

export const whenSchema = z.custom<When>(isWhen, 'not a day, an instant with a zone, or a local time');

export const msSchema = z.int().check(z.gte(-8.64e15), z.lte(8.64e15));

export const statusSchema: z.ZodMiniType<Status> = z.nullable(
  z.strictObject({ done: msSchema, cleared: z.optional(msSchema) }),
) as unknown as z.ZodMiniType<Status>;

const timeOfDaySchema = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/));

export const repeatRuleSchema = z
  .strictObject({
    value: z.int().check(
      z.gte(-1),
      z.lte(10_000),
      z.refine((value) => value !== 0, 'must not be 0'),
    ),
    also: z.optional(
      z.array(z.int().check(z.gte(-1), z.lte(31))).check(
        z.minLength(1),
        z.maxLength(5),
        z.refine((values) => values.every((value) => value !== 0), 'must not hold 0'),
      ),
    ),
    unit: z.enum(repeatUnits),
    metadata: z.nullable(
      z.union([
        z.strictObject({
          weekdays: z
            .array(z.enum(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']))
            .check(z.minLength(1), z.maxLength(7)),
        }),
        z.strictObject({
          monthDays: z
            .array(z.union([z.int().check(z.gte(1), z.lte(31)), z.literal('last day')]))
            .check(z.minLength(1), z.maxLength(32)),
        }),
      ]),
    ),
    from: z.nullable(z.enum(['due date', 'completion'])),
    missed: z.enum(['skip', 'every']),
    anchorDay: z.nullable(z.int().check(z.gte(1), z.lte(31))),
    anchorTime: z.optional(
      z.strictObject({ due: z.optional(timeOfDaySchema), start: z.optional(timeOfDaySchema) }),
    ),
  })
  .check(
    z.refine(
      (rule) => rule.value > 0 || rule.unit.startsWith('nth-'),
      'counts back from the end only with an nth unit',
    ),
  ) satisfies z.ZodMiniType<RepeatRule>;

export const reminderSchema: z.ZodMiniType<Reminder> = z.union([
  z.strictObject({ before: z.int().check(z.gte(0), z.lte(reminderLimits.beforeMinutes)) }),
  z.strictObject({ when: whenSchema }),
]);

const FORBIDDEN_CHARACTERS = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Text without NUL and lone surrogates, at most `codePoints` long. */
export function textSchema(codePoints: number): z.ZodMiniType<string> {
  return z.string().check(
    z.refine((text) => !FORBIDDEN_CHARACTERS.test(text), 'contains characters that cannot be stored'),
    z.refine(
      (text) =>
        text.length <= codePoints || (text.length <= codePoints * 2 && [...text].length <= codePoints),
      `is longer than ${codePoints} characters`,
    ),
  );
}

export const titleSchema = textSchema(limits.titleCodePoints);
export const notesSchema = textSchema(limits.notesBytes).check(
  z.refine(
    (text) => text.length * 3 <= limits.notesBytes || utf8Length(text) <= limits.notesBytes,
    'is longer than 256 KiB',
  ),
  z.refine((text) => !text.includes('\r'), 'has line ends other than \\n'),
);

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

export const durationSchema = z.int().check(z.gte(0), z.lte(5_256_000));

export const seriesValuesSchema = z.strictObject({
  occ: z.int().check(z.gte(0), z.lte(1_000_000_000)),
  due: z.nullable(whenSchema),
  start: z.nullable(whenSchema),
  title: z.optional(z.nullable(titleSchema)),
  notes: z.optional(z.nullable(notesSchema)),
  duration: z.optional(z.nullable(durationSchema)),
}) satisfies z.ZodMiniType<SeriesValues>;

/** Anything JSON, at most 32 levels deep. */
export const jsonSchema = z.custom<unknown>((value) => isJson(value, 32), 'not JSON, or nested too deeply');

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === 0) return false;
  const parts = Array.isArray(value) ? value : Object.values(value);
  return parts.every((part) => isJson(part, depth - 1));
}
