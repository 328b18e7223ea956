// Details of one task or list besides its content: ids, times, origin, metadata. A lazy part; it only reads.
import { blocksIn } from '#core/calendar/blocks.ts';
import { counted } from '#core/counted.ts';
import { sayRepeat } from '#core/dates/words.ts';
import type { Id } from '#core/ids.ts';
import { scalarNames, type ScalarFields } from '#core/model.ts';
import { remindersIn } from '#core/reminders.ts';
import { scalarField } from '#core/task-fields.ts';
import type { When } from '#core/when.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { isDone, isTrashed, statusOf } from '#sync/rows/row-reading.ts';
import { mineOf } from './personal-fields.ts';
import { sayWhen } from '../pickers/saying.ts';
import type { Program } from '../app/program.ts';
import { blocksOf, isUndone } from '../blocks/task-blocks.ts';
import { sayBlock } from '../blocks/words.ts';
import { sayReminder } from '../reminders/words.ts';
import { nameOf } from './row-facts.ts';
import type { DetailsView } from '../dialogs/dialog-view.ts';
import { labelName } from '../labels/catalog.ts';
import { smartLists } from '../search/smart-lists.ts';
import { sharing } from '../sharing/part.ts';

const META = 'meta:';

type Fact = DetailsView['facts'][number];

function fact(name: string, text: string | null | undefined): Fact[] {
  return text === null || text === undefined || text === '' ? [] : [{ name, text }];
}

/** How often, in words; null for never. */
const timesOf = (count: unknown) => (typeof count === 'number' && count > 0 ? counted(count, 'time') : null);

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
  const rule = fieldOf(row, 'repeat');
  const status = statusOf(row);
  const origin = fieldOf(row, 'origin');
  const labels = rowFacts.labelsOf(row).map(({ name }) => name);
  return {
    id,
    kind: row.type === 'list' ? 'list' : 'task',
    notes: fieldOf(row, 'notes') ?? '',
    title: nameOf(row) || 'Untitled',
    facts: [
      ...fact('In', rowFacts.path(row)),
      ...countsOf(program, row),
      ...fact('Due', day(fieldOf(row, 'due'))),
      ...fact('Starts', day(fieldOf(row, 'start'))),
      ...fact('Snoozed', timesOf(fieldOf(mineOf(replica, id), 'snoozeCount'))),
      ...fact('Snoozed until', day(program.workspace.away.snoozedUntil(id))),
      ...fact('Repeats', rule && sayRepeat(rule)),
      ...fact('Occurrence', occurrence(row)),
      ...(row.type === 'task' ? scalarsOf(row.fields) : []),
      ...fact('Assigned to', rowFacts.personOf(row)?.name),
      ...fact('Comments', workspace.facts.commentsOf(id) === 0 ? null : `${workspace.facts.commentsOf(id)}`),
      ...fact('Planned', blocksSaid(program, row)),
      ...fact('Reminders', remindersOf(program, id)),
      ...fact('Labels', labels.join(', ')),
      ...sharedFacts(program, row),
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
        text: `${registersOf(row)[field] as string}`,
      })),
  };
}

/** Of a task in a shared list: who sees it, and which of the fields above and below are the person's own. */
function sharedFacts(program: Program, row: Row): Fact[] {
  const { replica, workspace } = program;
  if (row.scope === replica.scope) return [];
  const others = program
    .part(sharing)
    .members.of(row.scope)
    .filter(({ fields }) => fields.account !== replica.account)
    .map(({ fields }) => fields.name || 'No name');
  const mine = mineOf(replica, row.id);
  const own = [
    fieldOf(mine, 'snoozeCount') ? 'Snoozed' : '',
    workspace.away.snoozedUntil(row.id) === null ? '' : 'Snoozed until',
    blocksIn(mine).length > 0 ? 'Planned' : '',
    remindersIn(mine).length > 0 ? 'Reminders' : '',
    workspace.facts.ownLabelsOf(row.id).length > 0 ? `Labels: ${ownLabels(program, row.id)}` : '',
    workspace.facts.bookmarks.has(row.id) ? 'Bookmarked' : '',
    fieldOf(mine, 'order') === undefined ? '' : 'Place in “My order”',
  ].filter((name) => name !== '');
  return [...fact('Shared with', others.join(', ')), ...fact('Only you see', own.join(', '))];
}

const ownLabels = ({ replica, workspace }: Program, id: Id) =>
  workspace.facts
    .ownLabelsOf(id)
    .map((label) => labelName(replica.row(label)))
    .join(', ');

function scalarsOf(fields: ScalarFields): Fact[] {
  return scalarNames.flatMap((name) => {
    const field = scalarField(name);
    const value = fields[name] ?? null;
    return value === null ? [] : fact(field.title, field.say(value));
  });
}

/** "10 min before; Sat 28 Nov 2026, 09:00" */
function remindersOf(program: Program, id: Id): string {
  const context = program.moment();
  const held = remindersIn(mineOf(program.replica, id));
  return held.map(({ reminder }) => sayReminder(reminder, context)).join('; ');
}

/** "Fri 27 Nov 2026, 14:00 for 45 min; Sat 28 Nov 2026, 09:00 for 30 min (done)" */
function blocksSaid(program: Program, row: Row): string {
  const context = program.moment();
  const said = blocksOf(program, row).map(
    (held) => `${sayBlock(held.block, context)}${isUndone(held) ? '' : ' (done)'}`,
  );
  return said.join('; ');
}

/** Contents of a list at any depth; for a folder, its lists. */
function countsOf(program: Program, { id, type, fields }: Row): Fact[] {
  if (type !== 'list') return [];
  if (fields.listType === 'smart') return fact('Open tasks', `${program.part(smartLists).countOf(id)}`);
  let [lists, open, complete] = [0, 0, 0];
  const above = [id];
  for (let parent = above.pop(); parent !== undefined; parent = above.pop()) {
    for (const child of program.replica.children(parent)) {
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

function occurrence(row: Row): string | null {
  return fieldOf(row, 'repeat') ? `number ${(fieldOf(row, 'occ') ?? 0) + 1}` : null;
}
