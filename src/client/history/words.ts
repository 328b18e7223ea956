// What the sentences of the history are made of: names of things, places and fields, and values as a person reads them. The
// sentences are in sentences.ts; nothing here reads a clock.
import { type Id, inboxId, listsRoot } from '#core/ids.ts';
import { eachScalar, isScalar, scalarField, type ScalarValue } from '#core/task-fields.ts';
import { sayRepeat } from '#core/dates/words.ts';
import type { RepeatRule } from '#core/model.ts';
import type { When } from '#core/when.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { DueDates, type DateContext } from '../clock/dates.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { HistoryDetail } from './view.ts';
import type { AnySetting } from '../settings/setting.ts';
import { type Change, subjectId } from './change.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** What sentences about changes need of rows and people. */
export interface Speaking {
  readonly replica: Pick<Replica, 'row' | 'scope'>;
  /** The name of a person, also of one who has left; null: not known. */
  readonly personOf?: (account: number) => string | null;
  /** Of who did it; null: a program, or a visitor of a public link. */
  readonly account?: number | null;
  readonly dates: DateContext;
  /** Of the app and its parts. */
  readonly settings: readonly AnySetting[];
}

const TEXTS: Readonly<Record<string, string>> = { title: 'Title', name: 'Name', notes: 'Notes' };

const VALUES: Readonly<Record<string, string>> = {
  due: 'Due date',
  start: 'Start date',
  repeat: 'Repetition',
  series: 'This occurrence',
  ...eachScalar((_, { title }) => title),
  color: 'Color',
  hotkey: 'Key',
  query: 'Search',
  sort: 'Sorting',
  ownSort: 'Sorting',
  clearAfter: 'Automatic clearing',
  assignee: 'Assignee',
  text: 'Comment',
  visibility: 'Visibility',
  exclusive: 'Exclusive choice',
  snooze: 'Snooze',
  hotkeys: 'Keys',
  associatedSharedListID: 'Shared list',
};

const LONGEST = 60;
/** A text of one line, as far as it has room in a sentence. */
export const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
const quote = (text: string) => `“${shortened(text)}”`;
const plain = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');
/** Nothing is set. */
export const isEmptyValue = (value: unknown) => value === null || value === undefined || value === '';

/** Cached per context: creating a date formatter costs a hundred times what using it does. */
const saying = new WeakMap<DateContext, DueDates>();

function sayingOf(dates: DateContext): DueDates {
  const known = saying.get(dates);
  if (known !== undefined) return known;
  const made = new DueDates(dates);
  saying.set(dates, made);
  return made;
}

/** A value as a person reads it; null if it has no short form. */
export function valueText(field: string, value: unknown, speaking: Speaking): string | null {
  const { dates, personOf, settings } = speaking;
  if (isEmptyValue(value)) return 'none';
  if (field === 'due' || field === 'start' || field === 'snooze')
    return sayingOf(dates).show(value as When).text;
  if (field === 'assignee') return personOf?.(value as number) ?? 'somebody';
  // In the words of the setting for one's own lists.
  if (field === 'clearAfter')
    return settingValue(
      settings.find(({ key }) => key === 'autoClear'),
      value,
    );
  if (field === 'repeat') return sayRepeat(value as RepeatRule);
  if (isScalar(field)) return scalarField(field).say(value as ScalarValue);
  return typeof value === 'string' ? shortened(value) : null;
}

/** The setting whose row a change is about. */
export function settingOf(id: Id, { replica, settings }: Speaking): AnySetting | undefined {
  const key = fieldOf(replica.row(id), 'key');
  return settings.find((setting) => setting.key === key);
}

/** A setting's value in the words of its command; a value this version does not know is only named. */
export function settingValue(setting: AnySetting | undefined, value: unknown): string | null {
  if (setting === undefined) return null;
  if (isEmptyValue(value)) return setting.say(setting.fallback);
  const read = setting.read(value);
  return read === null ? null : shortened(setting.say(read));
}

/** The name of a field that holds a value. */
export function nameOfValue(field: string): string {
  return field.startsWith('meta:') ? quote(field.slice('meta:'.length)) : (VALUES[field] ?? 'Something');
}

/** The name of a list or task as a place. */
export function placeName(parent: Id | null, replica: Speaking['replica']): string {
  if (parent === null) return 'another place';
  if (parent === listsRoot(replica.scope)) return 'the top level';
  if (parent === inboxId(replica.scope)) return 'the Inbox';
  const row = replica.row(parent);
  if (!row) return 'a deleted place';
  const name = nameOf(row);
  if (row.type === 'task') return name === '' ? 'under an untitled task' : `under ${quote(name)}`;
  return name === '' ? 'an untitled list' : quote(name);
}

/** The move by which a list was shared: it has a scope of its own since, at whose top it stands. */
export function isSharing(id: Id, parent: unknown, replica: Speaking['replica']): boolean {
  const row = replica.row(id);
  return row?.type === 'list' && row.scope !== replica.scope && parent === listsRoot(row.scope);
}

/** The current name of an entity; if it is gone, the name in the change. */
export function subjectOf(change: Change, speaking: Speaking): string {
  const { replica } = speaking;
  const setting = settingOf(change.id, speaking);
  if (setting !== undefined) return setting.title;
  const name = nameOf(replica.row(subjectId(change, replica))) || nameOfLabelRow(replica, change.id);
  if (name !== '') return name;
  const fields = change.kind === 'added' ? (change.after as Readonly<Record<string, unknown>>) : {};
  const said = fields['title'] ?? fields['name'];
  if (typeof said === 'string' && said !== '') return said;
  const texts = TEXTS[change.field] === undefined ? [] : [change.after, change.before];
  const text = texts.find((one) => typeof one === 'string' && one !== '');
  return typeof text === 'string' ? shortened(text) : 'Something untitled';
}

function nameOfLabelRow(replica: Speaking['replica'], id: Id): string {
  const row = replica.row(id);
  return row?.type === 'label' || row?.type === 'labelGroup' ? plain(row.fields['name']) : '';
}

/** Old and new value of a change that has both. */
export function detailOf(change: Change, speaking: Speaking): HistoryDetail | null {
  const { field, before, after, kind } = change;
  if (kind === 'moved') {
    const name = (parent: unknown) => placeName(parent as Id | null, speaking.replica);
    return { name: 'Place', before: before === null ? null : name(before), after: name(after) };
  }
  if (kind !== 'set') return null;
  if (field === 'value') {
    const setting = settingOf(change.id, speaking);
    const said = (value: unknown) => (value === undefined ? null : settingValue(setting, value));
    return setting === undefined ? null : { name: setting.title, before: said(before), after: said(after) };
  }
  const name = TEXTS[field] ?? VALUES[field];
  if (name === undefined) return null;
  const whole = (value: unknown) => {
    if (value === undefined) return null;
    if (TEXTS[field] !== undefined) return typeof value === 'string' ? value : '';
    return valueText(field, value, speaking) ?? 'another value';
  };
  return { name, before: whole(before), after: whole(after) };
}
