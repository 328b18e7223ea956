// The lines of the history in plain words. The changes come from change.ts; nothing here reads a clock.
import { type Id, inboxId, listsRoot } from '#core/ids.ts';
import { isReminderRegister, type Reminder } from '#core/reminders.ts';
import { eachScalar, isScalar, scalarField, type ScalarValue } from '#core/task-fields.ts';
import { sayRepeat } from '#core/dates/words.ts';
import type { RepeatRule } from '#core/model.ts';
import type { When } from '#core/when.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { DueDates, type DateContext } from '../clock/dates.ts';
import { saidReminder } from '../reminders/words.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { HistoryDetail } from './view.ts';
import type { AnySetting } from '../settings/setting.ts';
import { type Change, type Kind, subjectId } from './change.ts';
import { fieldOf } from '#sync/rows/row.ts';

export interface Speaking {
  readonly replica: Pick<Replica, 'row' | 'scope'>;
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
  visibility: 'Visibility',
  exclusive: 'Exclusive choice',
  snooze: 'Snooze',
  hotkeys: 'Keys',
  associatedSharedListID: 'Shared list',
};

const ADDED: Readonly<Record<string, string>> = {
  task: 'Added',
  list: 'Added this list',
  label: 'Added this label',
  labelGroup: 'Added this label group',
  attachment: 'Attached',
};

const MANY: Readonly<Record<Kind, string>> = {
  added: 'Added',
  set: 'Changed',
  moved: 'Moved',
  deleted: 'Deleted',
  restored: 'Restored',
  completed: 'Completed',
  reopened: 'Reopened',
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
export function valueText(field: string, value: unknown, { dates }: Speaking): string | null {
  if (isEmptyValue(value)) return 'none';
  if (field === 'due' || field === 'start' || field === 'snooze')
    return sayingOf(dates).show(value as When).text;
  if (field === 'repeat') return sayRepeat(value as RepeatRule);
  if (isScalar(field)) return scalarField(field).say(value as ScalarValue);
  return typeof value === 'string' ? shortened(value) : null;
}

function textChange(name: string, { field, before, after }: Change): string {
  if (field === 'notes') {
    if (after === undefined) return 'Notes changed';
    return isEmptyValue(after) ? 'Notes removed' : isEmptyValue(before) ? 'Notes written' : 'Notes changed';
  }
  if (isEmptyValue(before)) return `${name} set to ${quote(plain(after))}`;
  if (isEmptyValue(after)) return `${name} ${quote(plain(before))} removed`;
  return `${name} changed from ${quote(plain(before))} to ${quote(plain(after))}`;
}

function labelChange({ field, after }: Change, { replica }: Speaking): string {
  const name = nameOfLabel(replica, field.slice('label:'.length) as Id);
  return after === true ? `Label ${name} added` : `Label ${name} removed`;
}

function nameOfLabel(replica: Speaking['replica'], id: Id): string {
  const name = fieldOf(replica.row(id), 'name');
  return typeof name === 'string' && name !== '' ? quote(name) : '(deleted)';
}

function statusChange({ before, after }: Change): string {
  const was = before as { readonly done?: number } | null;
  const is = after as { readonly cleared?: number } | null;
  if (is === null) return 'Reopened';
  if (is?.cleared !== undefined) return 'Cleared';
  return was ? 'Brought back from cleared' : 'Completed';
}

function reminderChange({ before, after }: Change, { dates }: Speaking): string {
  const reminder = (after ?? before) as Reminder | null | undefined;
  const said = reminder ? `: ${saidReminder(reminder, dates)}` : '';
  return `Reminder ${isEmptyValue(after) ? 'removed' : 'set'}${said}`;
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

function settingChange({ id, before, after }: Change, speaking: Speaking): string {
  const setting = settingOf(id, speaking);
  const [was, is] = [before, after].map((value) => settingValue(setting, value));
  if (is === null || is === undefined || after === undefined) return 'Setting changed';
  return was === null || was === is ? `Setting: ${is}` : `Setting: ${is} (was ${was})`;
}

/** The name of a field that holds a value. */
export function nameOfValue(field: string): string {
  return field.startsWith('meta:') ? quote(field.slice('meta:'.length)) : (VALUES[field] ?? 'Something');
}

function setChange(change: Change, speaking: Speaking): string {
  const { field, before, after } = change;
  const text = TEXTS[field];
  if (text !== undefined) return textChange(text, change);
  if (field.startsWith('label:')) return labelChange(change, speaking);
  if (field === 'status') return statusChange(change);
  if (isReminderRegister(field)) return reminderChange(change, speaking);
  if (field === 'reminded') return isEmptyValue(after) ? 'Reminder rings again' : 'Reminder dismissed';
  if (field === 'bookmarkedAt') return isEmptyValue(after) ? 'Bookmark removed' : 'Bookmarked';
  if (field === 'value') return settingChange(change, speaking);
  if (field === 'archivedAt') return isEmptyValue(after) ? 'Unarchived' : 'Archived';
  const name = nameOfValue(field);
  const [was, is] = [before, after].map((value) => valueText(field, value, speaking));
  if (after === undefined || is === null || is === undefined) return `${name} changed`;
  if (isEmptyValue(after))
    return isEmptyValue(before) ? `${name} removed` : `${name} removed${was ? ` (was ${was})` : ''}`;
  return isEmptyValue(before) || !was ? `${name} set to ${is}` : `${name} changed from ${was} to ${is}`;
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

function movedTo({ before, after }: Change, { replica }: Speaking): string {
  if (before !== null && before === after) return 'Moved in its list';
  const to = placeName(after as Id | null, replica);
  return to.startsWith('under ') ? `Moved ${to}` : `Moved to ${to}`;
}

export function changeText(change: Change, speaking: Speaking): string {
  switch (change.kind) {
    case 'added': {
      const { title, name } = change.after as Readonly<Record<string, unknown>>;
      const called = [title, name].find((text) => typeof text === 'string' && text !== '');
      const what = ADDED[change.field] ?? 'Added';
      return called === undefined ? what : `${what}: ${quote(plain(called))}`;
    }
    case 'set':
      return setChange(change, speaking);
    case 'moved':
      return movedTo(change, speaking);
    case 'deleted':
      return 'Deleted';
    case 'restored':
      return 'Restored from the trash';
    case 'completed':
      return 'Completed';
    case 'reopened':
      return 'Reopened';
  }
}

/** A command gives many tasks the same value, which need not be put into words for each of them. */
export function isAsGood(change: Change, first: Change): boolean {
  // The value of a setting depends on the setting.
  if (change.field !== first.field || change.field === 'value') return false;
  return change.before === first.before && change.after === first.after;
}

/** One sentence for all changes of a gesture. */
export function changesText(changes: readonly Change[], speaking: Speaking): string {
  const [first] = changes;
  if (!first) return 'Nothing on record';
  if (changes.length === 1) return changeText(first, speaking);
  const things = new Set(changes.map((change) => subjectId(change, speaking.replica))).size;
  const isAlike = changes.every(
    ({ kind, after }) => kind === first.kind && (kind !== 'moved' || after === first.after),
  );
  if (isAlike && things > 1) {
    if (first.kind === 'moved') return movedTo(first, speaking).replace('Moved', `Moved ${things} items`);
    const said = changeText(first, speaking);
    const isSame =
      first.kind === 'set' &&
      changes.every((change) => isAsGood(change, first) || changeText(change, speaking) === said);
    return isSame ? `${said}: ${things} items` : `${MANY[first.kind]} ${things} items`;
  }
  const rest = changes.length - 1;
  return `${changeText(first, speaking)}, and ${rest === 1 ? '1 more change' : `${rest} more changes`}`;
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
