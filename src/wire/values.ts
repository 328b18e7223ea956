// Schemas of the model's values, shared by all messages. One schema per shape, for both ends.
import * as z from 'zod/mini';
import { blockLimits } from '#core/calendar/blocks.ts';
import { isId, type Id } from '#core/ids.ts';
import {
  limits,
  repeatUnits,
  type EntityType,
  type RepeatRule,
  type ScalarFields,
  type ScalarName,
  type SeriesValues,
  type Status,
} from '#core/model.ts';
import { reminderLimits, type Reminder } from '#core/reminders.ts';
import { isWhen, isZone, type When } from '#core/when.ts';

/** A canonical lower-case UUID. */
export const idSchema = z.custom<Id>(isId, "isn't an id");

export const entityTypeSchema = z.enum([
  'task',
  'list',
  'label',
  'labelGroup',
  'mine',
  'completion',
  'attachment',
  'comment',
  'setting',
  'mount',
  'member',
] satisfies EntityType[]);

export const whenSchema = z.custom<When>(isWhen, "isn't a day, a time with a zone, or a local time");

/** Wall milliseconds since the epoch, in the range of a Date. */
export const msSchema = z.int().check(z.gte(-8.64e15), z.lte(8.64e15));

export const statusSchema: z.ZodMiniType<Status> = z.nullable(
  z.strictObject({ done: msSchema, cleared: z.optional(msSchema) }),
) as unknown as z.ZodMiniType<Status>;

const timeOfDaySchema = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/));

/** A repeat rule in the range of what can be stored; whether it has any occurrence is not checked. */
export const repeatRuleSchema = z
  .strictObject({
    value: z.int().check(
      z.gte(-1),
      z.lte(10_000),
      z.refine((value) => value !== 0, "can't be 0"),
    ),
    also: z.optional(
      z.array(z.int().check(z.gte(-1), z.lte(31))).check(
        z.minLength(1),
        z.maxLength(5),
        z.refine((values) => values.every((value) => value !== 0), "can't contain 0"),
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
      'can only count back from the end with an nth unit',
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
    z.refine((text) => !FORBIDDEN_CHARACTERS.test(text), "contains characters that can't be stored"),
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
  z.refine((text) => !text.includes('\r'), 'has line breaks other than \\n'),
);

/** Bytes of a text. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Minutes, at most ten years. */
export const durationSchema = z.int().check(z.gte(0), z.lte(5_256_000));

/** What the scalar fields of a task (core/task-fields.ts) may hold. */
export const scalarSchemas = {
  duration: durationSchema,
} as const satisfies { readonly [Name in ScalarName]: z.ZodMiniType<NonNullable<ScalarFields[Name]>> };

/** A time block. Its start is within what a date can say, and on a whole minute. */
export const blockSchema = z.strictObject({
  start: z.int().check(z.gte(Date.UTC(1900, 0, 1)), z.lte(Date.UTC(9999, 11, 31)), z.multipleOf(60_000)),
  minutes: z.int().check(z.gte(1), z.lte(blockLimits.minutes)),
  zone: z.optional(z.string().check(z.maxLength(64), z.refine(isZone, "isn't a time zone"))),
  occ: z.int().check(z.gte(0), z.lte(1_000_000_000)),
});

export const seriesValuesSchema = z.strictObject({
  occ: z.int().check(z.gte(0), z.lte(1_000_000_000)),
  due: z.nullable(whenSchema),
  start: z.nullable(whenSchema),
  title: z.optional(z.nullable(titleSchema)),
  notes: z.optional(z.nullable(notesSchema)),
  duration: z.optional(z.nullable(durationSchema)),
}) satisfies z.ZodMiniType<SeriesValues>;

/** Any JSON, at most 32 levels deep. */
export const jsonSchema = z.custom<unknown>(
  (value) => isJson(value, 32),
  "isn't JSON, or is nested too deeply",
);

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === 0) return false;
  const parts = Array.isArray(value) ? value : Object.values(value);
  return parts.every((part) => isJson(part, depth - 1));
}
