// The content of a push: as little as possible, built at the moment of sending from the present rows.
import { createHash } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import { type Block, whenOf } from '#core/calendar/blocks.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { type CloseMessage, pushLimits, type RingMessage, type ToldMessage } from '#wire/push.ts';

/** "Due Fri 27 Nov, 17:00"; empty without a due date. */
function bodyOf(due: When | null, zone: string): string {
  return due === null ? '' : `Due ${said(due, zone)}`;
}

/** "Planned for Fri 27 Nov, 17:00 for 45 min" */
function planOf(block: Block, zone: string): string {
  return `Planned for ${said(whenOf(block), zone)} for ${sayDuration(block.minutes)}`;
}

function said(due: When, zone: string): string {
  const wall = isDayWhen(due)
    ? Temporal.PlainDate.from(due.on).toPlainDateTime()
    : isInstantWhen(due)
      ? Temporal.Instant.fromEpochMilliseconds(due.at).toZonedDateTimeISO(zone).toPlainDateTime()
      : Temporal.PlainDateTime.from(due.local);
  const utc = wall.toZonedDateTime('UTC').epochMilliseconds;
  const options: Intl.DateTimeFormatOptions = { timeZone: 'UTC' };
  const day = new Intl.DateTimeFormat('en-GB', {
    ...options,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).format(utc);
  const clock = new Intl.DateTimeFormat('en-GB', { ...options, timeStyle: 'short' }).format(utc);
  return `${day.replaceAll(',', '')}${isDayWhen(due) ? '' : `, ${clock}`}`;
}

function shortened(title: string): string {
  const points = [...title];
  const most = pushLimits.titleCharacters;
  return points.length > most ? `${points.slice(0, most - 1).join('')}…` : title;
}

export interface RingFacts {
  readonly task: Row;
  /** The moment it was to ring, milliseconds. */
  readonly moment: number;
  readonly zone: string;
  /** The time block that begins; absent: a reminder rings. */
  readonly block?: Block | undefined;
  /** Whether it may name the task. */
  readonly titles: boolean;
  /** Origin of the app; null: browsers know it. */
  readonly origin: string | null;
}

export function ringMessage({ task, moment, zone, block, titles, origin }: RingFacts): RingMessage {
  const title = fieldOf(task, 'title') ?? '';
  const due = (fieldOf(task, 'due') ?? null) as When | null;
  return {
    web_push: 8030,
    notification: {
      title: titles ? shortened(title) || 'Untitled' : 'Reminder',
      body: !titles ? '' : block === undefined ? bodyOf(due, zone) : planOf(block, zone),
      navigate: `${origin ?? ''}/app/?reminder=open&task=${task.id}`,
      tag: `reminder:${task.id}`,
    },
    type: 'ring',
    task: task.id,
    at: moment,
  };
}

export interface ToldFacts {
  readonly task: Row;
  readonly kind: 'mention' | 'assigned';
  /** Name of who did it. */
  readonly by: string;
  readonly titles: boolean;
  readonly origin: string | null;
}

/** It says who and which task, never the words of a comment. */
export function toldMessage({ task, kind, by, titles, origin }: ToldFacts): ToldMessage {
  const isMention = kind === 'mention';
  const plain = isMention ? 'You were mentioned' : 'You were given a task';
  const said = isMention ? `${by} mentioned you in a comment` : `${by} gave you this task`;
  return {
    web_push: 8030,
    notification: {
      title: titles ? shortened(fieldOf(task, 'title') ?? '') || 'Untitled' : plain,
      body: titles ? said : '',
      navigate: `${origin ?? ''}/app/?reminder=open&task=${task.id}`,
      tag: `told:${task.id}`,
    },
    type: 'told',
    task: task.id,
  };
}

export function closeMessage(task: Id): CloseMessage {
  return { type: 'close', task };
}

/** Hides from the push service which task it is. */
export function topicOf(subscription: Id, task: Id, kind = ''): string {
  return createHash('sha256').update(`${subscription} ${task}${kind}`).digest('base64url').slice(0, 32);
}
