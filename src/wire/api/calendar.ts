// Bodies, queries and answers of the calls of the public API about calendars: events, which are read alone, and the time blocks of tasks.
import * as z from 'zod/mini';
import { blockLimits } from '#core/calendar/blocks.ts';
import { isDay, isZone } from '#core/when.ts';
import { cursorParameter, limitParameter, strict } from './requests.ts';
import { apiIdSchema, daySchema, maybe, noted } from './values.ts';

const id = noted(z.string(), { format: 'uuid' });
const maybeMoment = z.nullable(noted(z.string(), { format: 'date-time' }));
const maybeDay = z.nullable(noted(z.string(), { format: 'date' }));
const success = z.literal(true);
const warnings = z.optional(
  noted(z.array(z.string()), { description: "What was left out or couldn't be done." }),
);

const CLOCK = /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::00(?:\.0{1,9})?)?$/;
const EARLIEST = Date.UTC(1900, 0, 1);

/** Milliseconds since 1970 of a clock on the wall, `2026-11-30T09:00`, as if it were in UTC. Null: it is none, or before 1900. */
export function parseClock(text: string): number | null {
  const [, day = '', hour = '', minute = ''] = CLOCK.exec(text.trim()) ?? [];
  if (!isDay(day)) return null;
  const at = Date.parse(`${day}T${hour}:${minute}:00Z`);
  return at < EARLIEST ? null : at;
}

const clock = () =>
  z
    .string()
    .check(
      z.refine(
        (text) => parseClock(text) !== null,
        "isn't a time of day like 2026-11-30T09:00, without an offset",
      ),
    );
const zone = () =>
  z
    .string()
    .check(z.refine((text) => text.length <= 64 && isZone(text), "isn't a time zone like Europe/Paris"));

const times = {
  local_start: noted(clock(), {
    description: 'The clock on the wall at its start.',
    example: '2026-11-30T09:00',
  }),
  local_end: maybe(
    noted(clock(), {
      description: 'Its end on the same clock. Send this or `duration_minutes`.',
      example: '2026-11-30T10:30',
    }),
  ),
  duration_minutes: maybe(z.int().check(z.gte(1), z.lte(blockLimits.minutes))),
  time_zone: maybe(
    noted(zone(), {
      description: 'The time zone of that clock. Null: wherever the person is.',
      example: 'Europe/Paris',
    }),
  ),
};

/** Body of `createBlock`. */
export const createBlockSchema = noted(z.object({ id: maybe(apiIdSchema), ...times, ...strict }), {
  id: 'CreateBlock',
  description: 'A new time block. Without an end or a length it takes what its task takes, or 30 minutes.',
});
/** Body of `createBlock`. */
export type CreateBlock = z.infer<typeof createBlockSchema>;

/** Body of `updateBlock`. */
export const updateBlockSchema = noted(
  z.object({ ...times, local_start: maybe(times.local_start), ...strict }),
  { id: 'UpdateBlock', description: 'Changes to a time block. What is left out stays.' },
);
/** Body of `updateBlock`. */
export type UpdateBlock = z.infer<typeof updateBlockSchema>;

const blockAnswer = noted(
  z.strictObject({
    id,
    todo_item_id: id,
    local_start: z.string(),
    local_end: z.string(),
    duration_minutes: z.int(),
    time_zone: z.nullable(z.string()),
    is_done: noted(z.boolean(), { description: 'Whether what it was planned for is complete.' }),
  }),
  { id: 'Block', description: 'Time that you planned for a task. Every key is always there.' },
);
/** A time block, as the API answers it. */
export type ApiBlock = z.infer<typeof blockAnswer>;

export const blockAnswerSchema = noted(z.strictObject({ success, block: blockAnswer, warnings }), {
  id: 'BlockAnswer',
});
export const blocksAnswerSchema = noted(z.strictObject({ success, blocks: z.array(blockAnswer), warnings }), {
  id: 'BlocksAnswer',
});

/** Query of `listEvents`. Parameters are text; an empty one counts as absent. */
export const listEventsQuerySchema = z.object({
  from: daySchema,
  to: z.optional(daySchema),
  time_zone: z.optional(
    noted(zone(), {
      description: 'Where these days begin and end. Without it: UTC.',
      example: 'Europe/Paris',
    }),
  ),
  cursor: cursorParameter,
  limit: limitParameter,
});

const eventAnswer = noted(
  z.strictObject({
    id,
    calendar_id: id,
    title: z.string(),
    starts_at: maybeMoment,
    ends_at: maybeMoment,
    is_all_day: z.boolean(),
    timeless_starts_at: maybeDay,
    timeless_ends_at: noted(maybeDay, { description: 'The last day of an event of whole days.' }),
    location: z.string(),
    description: z.string(),
    url: z.nullable(z.string()),
    is_busy: z.boolean(),
    is_tentative: z.boolean(),
  }),
  { id: 'Event', description: 'An event of one of your calendars. Every key is always there.' },
);
/** An event, as the API answers it. */
export type ApiEvent = z.infer<typeof eventAnswer>;

const calendarAnswer = noted(
  z.strictObject({
    id,
    name: z.string(),
    color_hex_string: z.string(),
    is_hidden: noted(z.boolean(), { description: 'Events of hidden calendars are left out.' }),
    problem: noted(z.nullable(z.string()), {
      description: 'Why it could not be read the last time. Null: it was read.',
    }),
    read_at: maybeMoment,
  }),
  { id: 'Calendar', description: 'A calendar of another program. Every key is always there.' },
);
/** A calendar, as the API answers it. */
export type ApiCalendar = z.infer<typeof calendarAnswer>;

export const eventsAnswerSchema = noted(
  z.strictObject({
    success,
    events: z.array(eventAnswer),
    calendars: z.array(calendarAnswer),
    next_cursor: z.nullable(z.string()),
    warnings,
  }),
  { id: 'EventsAnswer', description: 'Events by their start, one page at a time.' },
);
