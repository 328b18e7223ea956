// The calls of the public API about calendars: a part of the table in endpoints.ts, which says what an entry means.
import {
  blockAnswerSchema,
  blocksAnswerSchema,
  createBlockSchema,
  eventsAnswerSchema,
  listEventsQuerySchema,
  updateBlockSchema,
} from './calendar.ts';
import { okSchema } from './objects.ts';

/** By name. */
export const calendarEndpoints = {
  listEvents: {
    method: 'GET',
    path: '/events',
    summary: 'List the events of your calendars from one day to another, earliest first.',
    access: 'read',
    limit: 'reading',
    query: listEventsQuerySchema,
    answer: eventsAnswerSchema,
  },
  listBlocks: {
    method: 'GET',
    path: '/tasks/:id/blocks',
    summary: 'List the time that you planned for a task, earliest first.',
    access: 'read',
    limit: 'reading',
    answer: blocksAnswerSchema,
  },
  createBlock: {
    method: 'POST',
    path: '/tasks/:id/blocks',
    summary: 'Plan time for a task.',
    access: 'write',
    limit: 'writing',
    body: createBlockSchema,
    answer: blockAnswerSchema,
  },
  updateBlock: {
    method: 'PATCH',
    path: '/tasks/:id/blocks/:block',
    summary: 'Move planned time, or make it longer or shorter.',
    access: 'write',
    limit: 'writing',
    body: updateBlockSchema,
    answer: blockAnswerSchema,
  },
  deleteBlock: {
    method: 'DELETE',
    path: '/tasks/:id/blocks/:block',
    summary: 'Remove planned time.',
    access: 'write',
    limit: 'writing',
    answer: okSchema,
  },
} as const;
