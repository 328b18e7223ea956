// What is known of one task or list beside its content: ids, times, where it came from, its metadata. A lazy chunk; it only
// reads.
import { sayDuration } from '#core/dates/duration-words.ts';
import { sayRepeat } from '#core/dates/words.ts';
import type { MailOrigin, RepeatRule } from '#core/model.ts';
import type { Id } from '#core/ids.ts';
import { remindersIn } from '#core/reminders.ts';
import type { When } from '#core/when.ts';
import type { Row } from '#sync/row.ts';
import { isDone, isTrashed, statusOf } from '#sync/row-reading.ts';
import { mineOf } from './mine.ts';
import { sayWhen } from './pickers/saying.ts';
import type { Program } from './program.ts';
import { sayReminder } from './reminders/words.ts';
import { nameOf } from './row-facts.ts';
import type { DetailsView } from './dialog-view.ts';

const META = 'meta:';

type Fact = DetailsView['facts'][number];

function fact(name: string, text: string | null | undefined): Fact[] {
  return text === null || text === undefined || text === '' ? [] : [{ name, text }];
}

export function detailsOf(program: Program, id: Id): DetailsView | null {
  const { replica, platform, rowFacts, workspace } = program;
  const row = replica.row(id);
  if (!row) return null;
  const format = new Intl.DateTimeFormat(platform.locale(), {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: platform.zone(),
  });
  const at = (ms: number | null | undefined) => (ms ? format.format(ms) : null);
  const day = (when: unknown) => (when ? sayWhen(when as When, program.moment()).text : null);
  const rule = row.fields.repeat as RepeatRule | null | undefined;
  const status = statusOf(row);
  const origin = row.fields.origin as MailOrigin | undefined;
  const duration = row.fields.duration as number | undefined;
  const labels = rowFacts.labelsOf(row).map(({ name }) => name);
  return {
    id,
    kind: row.type === 'list' ? 'list' : 'task',
    notes: (row.fields.notes as string | undefined) ?? '',
    title: nameOf(row) || 'Untitled',
    facts: [
      ...fact('In', rowFacts.path(row)),
      ...countsOf(program, row),
      ...fact('Due', day(row.fields.due)),
      ...fact('Starts', day(row.fields.start)),
      ...fact('Snoozed until', day(program.workspace.away.snoozedUntil(id))),
      ...fact('Repeats', rule && sayRepeat(rule)),
      ...fact('Occurrence', occurrence(row)),
      ...fact('Duration', duration === undefined ? null : sayDuration(duration)),
      ...fact('Reminders', remindersOf(program, id)),
      ...fact('Labels', labels.join(', ')),
      ...fact('Completed', at(status?.done)),
      ...fact('Cleared', at(status?.cleared)),
      ...fact('Bookmarked', at(workspace.facts.bookmarks.get(id))),
      ...fact('Created', at(row.createdAt)),
      ...fact('Changed', at(row.updatedAt)),
      ...fact('Came from', origin?.from),
      ...fact('Came at', at(origin?.at)),
      ...fact('Id', id),
    ],
    metadata: Object.keys(row.fields)
      .filter((field) => field.startsWith(META))
      .toSorted()
      .map((field) => ({
        name: field.slice(META.length),
        text: `${row.fields[field] as string}`,
      })),
  };
}

/** "10 min before; Sat 28 Nov 2026, 09:00" */
function remindersOf(program: Program, id: Id): string {
  const context = program.moment();
  const held = remindersIn(mineOf(program.replica, id)?.fields);
  return held.map(({ reminder }) => sayReminder(reminder, context)).join('; ');
}

/** What a list holds at any depth; of a folder, its lists. */
function countsOf({ replica, smart }: Program, { id, type, fields }: Row): Fact[] {
  if (type !== 'list') return [];
  if (fields.listType === 'smart') return fact('Open tasks', `${smart.countOf(id)}`);
  let [lists, open, complete] = [0, 0, 0];
  const above = [id];
  for (let parent = above.pop(); parent !== undefined; parent = above.pop()) {
    for (const child of replica.children(parent)) {
      if (isTrashed(child) || (child.type !== 'task' && child.type !== 'list')) continue;
      above.push(child.id);
      if (child.type === 'list') lists += 1;
      else if (isDone(child)) complete += 1;
      else open += 1;
    }
  }
  return [
    ...(fields.listType === 'folder' ? fact('Lists', `${lists}`) : []),
    ...fact('Open tasks', `${open}`),
    ...fact('Completed tasks', `${complete}`),
  ];
}

function occurrence({ fields }: Row): string | null {
  return fields.repeat ? `number ${((fields.occ as number | undefined) ?? 0) + 1}` : null;
}
