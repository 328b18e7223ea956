// What the history and the time machine say of changes: who did what, to what, and what of it was before. Its pieces say what
// they are, so that they can be told apart on screen. Names and values are in words.ts.
import { type Block, isBlockRegister } from '#core/calendar/blocks.ts';
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { isReminderRegister, type Reminder } from '#core/reminders.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { sayBlock } from '../blocks/words.ts';
import { saidReminder } from '../reminders/words.ts';
import { type Change, subjectId } from './change.ts';
import type { HistoryMark, Phrase } from './view.ts';
import {
  isEmptyValue,
  isSharing,
  nameOfValue,
  placeName,
  settingOf,
  settingValue,
  shortened,
  type Speaking,
  subjectOf,
  valueText,
} from './words.ts';

/** Whom and what a sentence is about. */
export interface Told {
  /** "You", or who else did it. */
  readonly actor: string;
  /** Of who did it; null: a program, or a visitor of a public link. */
  readonly account: number | null;
  /** "this task": the subject, where all the sentences have the same; null: it is named. */
  readonly own: string | null;
}

const plain = (text: string): Phrase => ({ kind: 'plain', text });
const thing = (text: string): Phrase => ({ kind: 'thing', text: shortened(text) });

const MARKS: Readonly<Record<string, HistoryMark>> = {
  due: 'date',
  start: 'date',
  snooze: 'snooze',
  repeat: 'repeat',
  series: 'repeat',
  notes: 'notes',
  bookmarkedAt: 'bookmark',
  text: 'notes',
  value: 'setting',
  duration: 'snooze',
};

/** What kind of change it is, for its icon. */
export function markOf({ kind, field, after }: Change): HistoryMark {
  if (kind !== 'set') return kind;
  if (field.startsWith('label:')) return 'label';
  if (field === 'status') return isEmptyValue(after) ? 'reopened' : 'completed';
  if (isReminderRegister(field) || field === 'reminded') return 'reminder';
  if (isBlockRegister(field)) return 'date';
  return MARKS[field] ?? 'edited';
}

/** Whom or what it was done to: a thing, or “this task”; null: where it stands says so. */
type About = Phrase | null;

/** That, behind a word that needs it: “of Call Ada”. */
const behind = (word: string, about: About): readonly Phrase[] =>
  about === null ? [] : [plain(word === '' ? ' ' : ` ${word} `), about];

/** Something was done to it, and that is all: “completed Call Ada”. */
const did = (verb: string, about: About): readonly Phrase[] => [plain(verb), ...behind('', about)];

/** Old and new value; without the old one, or with nothing new, in words. */
function fromTo(before: string | null, after: string | null): readonly Phrase[] {
  if (after === null) return before === null ? [] : [plain(', which was '), thing(before)];
  return before === null ? [plain(' to '), thing(after)] : [{ kind: 'change', before, text: after }];
}

/** The place of a moved thing. */
function movedTo({ id, before, after }: Change, about: About, { replica }: Speaking): readonly Phrase[] {
  if (before !== null && before === after) return [...did('moved', about), plain(' in its list')];
  if (isSharing(id, after, replica)) return did('shared', about);
  const place = (parent: unknown, word: string) => {
    const name = placeName(parent as Id | null, replica);
    const under = name.startsWith('under ') ? 'under ' : '';
    const rest = name.slice(under.length).replaceAll(/^“|”$/g, '');
    const way = under !== '' && word === 'to' ? ' ' : ` ${word} `;
    return [plain(way), plain(under), thing(rest)];
  };
  const from = before === null || before === undefined ? [] : place(before, 'from');
  return [...did('moved', about), ...from, ...place(after, 'to')];
}

function labelPhrases({ field, after }: Change, about: About, { replica }: Speaking): readonly Phrase[] {
  const row = replica.row(field.slice('label:'.length) as Id);
  const name = fieldOf(row, 'name');
  const color = fieldOf(row, 'color');
  const label: Phrase =
    typeof name === 'string' && name !== ''
      ? { kind: 'label', text: name, color: typeof color === 'string' ? color : null }
      : plain('a deleted label');
  const it = about ?? plain('it');
  return after === true
    ? [plain('put '), label, plain(' on '), it]
    : [plain('took '), label, plain(' off '), it];
}

function statusPhrases({ before, after }: Change, about: About): readonly Phrase[] {
  if (after === null) return did('reopened', about);
  if ((after as { readonly cleared?: number } | undefined)?.cleared !== undefined)
    return did('cleared', about);
  return before ? [...did('brought', about), plain(' back from cleared')] : did('completed', about);
}

function reminderPhrases({ before, after }: Change, about: About, { dates }: Speaking): readonly Phrase[] {
  const reminder = (after ?? before) as Reminder | null | undefined;
  const said = reminder ? [plain(': '), thing(saidReminder(reminder, dates))] : [];
  const done = isEmptyValue(after)
    ? [plain('removed a reminder'), ...behind('of', about)]
    : [plain('set a reminder'), ...behind('for', about)];
  return [...done, ...said];
}

function blockPhrases({ before, after }: Change, about: About, { dates }: Speaking): readonly Phrase[] {
  const say = (value: unknown) => (isEmptyValue(value) ? null : sayBlock(value as Block, dates));
  const [was, is] = [say(before), say(after)];
  if (is === null)
    return [
      plain('removed the time block'),
      ...behind('of', about),
      ...(was === null ? [] : fromTo(was, null)),
    ];
  if (was === null) return [plain('planned time'), ...behind('for', about), plain(': '), thing(is)];
  return [plain('moved the time block'), ...behind('of', about), ...fromTo(was, is)];
}

function textPhrases(change: Change, about: About): readonly Phrase[] {
  const { field, before, after } = change;
  if (field === 'notes') {
    if (after !== undefined && isEmptyValue(after))
      return [plain('removed the notes'), ...behind('of', about)];
    const isNew = after !== undefined && before !== undefined && isEmptyValue(before);
    return isNew
      ? [plain('wrote notes'), ...behind('for', about)]
      : [plain('changed the notes'), ...behind('of', about)];
  }
  const [was, is] = [before, after].map((text) =>
    typeof text === 'string' && text !== '' ? shortened(text) : null,
  );
  if (was == null) return [plain('gave the name '), thing(is ?? 'Untitled')];
  if (is == null) return [plain('removed the name '), thing(was)];
  return [plain('renamed'), { kind: 'change', before: was, text: is }];
}

function settingPhrases({ id, before, after }: Change, speaking: Speaking): readonly Phrase[] {
  const setting = settingOf(id, speaking);
  if (setting === undefined) return [plain('changed a setting')];
  const is = after === undefined ? null : settingValue(setting, after);
  const was = before === undefined ? null : settingValue(setting, before);
  return [
    plain('changed '),
    thing(setting.title),
    ...(is === null ? [] : fromTo(was === is ? null : was, is)),
  ];
}

/** What has no words of its own: the value of a field. */
function valuePhrases(change: Change, about: About, speaking: Speaking): readonly Phrase[] {
  const { field, before, after } = change;
  const said = (value: unknown) => (isEmptyValue(value) ? null : valueText(field, value, speaking));
  const [was, is] = [said(before), said(after)];
  const called = nameOfValue(field).replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  const name = called.startsWith('this ') ? called : `the ${called}`;
  if (after !== undefined && isEmptyValue(after))
    return [plain(`removed ${name}`), ...behind('of', about), ...fromTo(was, null)];
  if (field === 'snooze' && is !== null) return [...did('snoozed', about), plain(' until '), thing(is)];
  if (field === 'due' && was !== null && is !== null) return [...did('moved', about), ...fromTo(was, is)];
  const verb = before !== undefined && isEmptyValue(before) ? 'set' : 'changed';
  return [plain(`${verb} ${name}`), ...behind('of', about), ...(is === null ? [] : fromTo(was, is))];
}

/** Whose a task is: taken, given to somebody, or given back. */
function assigneePhrases(
  { before, after }: Change,
  about: About,
  { personOf, account }: Speaking,
): readonly Phrase[] {
  const said = (value: unknown) => (isEmptyValue(value) ? null : (personOf?.(value as number) ?? 'somebody'));
  const isActor = (value: unknown) => value === account && account !== null;
  const [was, is] = [said(before), said(after)];
  if (is === null) {
    if (was === null) return [...did('gave', about), plain(' to nobody')];
    return isActor(before)
      ? [...did('gave', about), plain(' back')]
      : [...did('took', about), plain(' away from '), thing(was)];
  }
  if (!isActor(after)) return [...did('gave', about), ...fromTo(isActor(before) ? null : was, is)];
  return was === null ? did('took', about) : [...did('took over', about), plain(' from '), thing(was)];
}

function setPhrases(change: Change, about: About, speaking: Speaking): readonly Phrase[] {
  const { field, after } = change;
  const isGone = isEmptyValue(after);
  if (field === 'title' || field === 'name' || field === 'notes') return textPhrases(change, about);
  if (field.startsWith('label:')) return labelPhrases(change, about, speaking);
  if (field === 'status') return statusPhrases(change, about);
  if (field === 'assignee') return assigneePhrases(change, about, speaking);
  if (isReminderRegister(field)) return reminderPhrases(change, about, speaking);
  if (isBlockRegister(field)) return blockPhrases(change, about, speaking);
  if (field === 'reminded')
    return isGone
      ? [plain('let the reminder'), ...behind('of', about), plain(' ring again')]
      : [plain('dismissed the reminder'), ...behind('of', about)];
  if (field === 'bookmarkedAt')
    return isGone ? [plain('removed the bookmark'), ...behind('of', about)] : did('bookmarked', about);
  if (field === 'hiddenAt') return did(isGone ? 'showed again' : 'hid', about);
  if (field === 'muted') return did(isGone || after === false ? 'unmuted' : 'muted', about);
  if (field === 'archivedAt') return did(isGone ? 'unarchived' : 'archived', about);
  return field === 'value' ? settingPhrases(change, speaking) : valuePhrases(change, about, speaking);
}

const ADDED: Readonly<Record<string, string>> = {
  list: 'added the list',
  label: 'added the label',
  labelGroup: 'added the label group',
  attachment: 'attached',
  comment: 'commented on',
};

/** What was said about a task is not what was done to it. */
function commentPhrases({ kind, before, after }: Change, about: About): readonly Phrase[] {
  if (kind === 'set') {
    const [was, is] = [before, after].map((text) => (typeof text === 'string' && text !== '' ? text : null));
    return [plain('changed a comment'), ...behind('on', about), ...fromTo(was ?? null, is ?? null)];
  }
  if (kind === 'added') return [plain('commented'), ...behind('on', about)];
  return [plain(`${kind} a comment`), ...behind('on', about)];
}

/** Who is in a list: written by the server, and so told of the person whom it is about. Null: it is about something else. */
function memberPhrases({ id, kind, field, after }: Change, speaking: Speaking): readonly Phrase[] | null {
  const row = speaking.replica.row(id);
  if (row?.type !== 'member') return null;
  const { account, name = '' } = row.fields;
  const isMe = speaking.personOf?.(account) === 'you';
  const who = isMe ? plain('You ') : thing(name === '' ? 'A former member' : name);
  const of = (verb: string) => [who, plain(isMe ? verb : ` ${verb}`)];
  if (kind === 'added') {
    const { role } = (after ?? {}) as { readonly role?: unknown };
    // Its owner is in it from the beginning; others come as members.
    return of(role === 'owner' ? 'shared the list' : 'joined the list');
  }
  if (field === 'leftAt') return of(isEmptyValue(after) ? 'joined the list again' : 'left the list');
  if (field === 'role') return of(after === 'owner' ? 'became the owner' : 'handed the list over');
  return of(isMe ? 'changed your profile' : 'changed their profile');
}

/** What was done, without who did it. */
export function phrasesOf(change: Change, about: About, speaking: Speaking): readonly Phrase[] {
  if (speaking.replica.row(change.id)?.type === 'comment') return commentPhrases(change, about);
  switch (change.kind) {
    case 'added':
      return did(ADDED[change.field] ?? 'added', about);
    case 'set':
      return setPhrases(change, about, speaking);
    case 'moved':
      return movedTo(change, about, speaking);
    case 'restored':
      return [...did('restored', about), plain(' from the trash')];
    case 'deleted':
      return did(change.field === 'forever' ? 'permanently deleted' : 'deleted', about);
    case 'completed':
    case 'reopened':
      return did(change.kind, about);
  }
}

/** What was done to a thing that stands beside these words: “moved from Fri 4 Dec to Fri 11 Dec”. */
export function predicateOf(change: Change, speaking: Speaking): string {
  return spoken(phrasesOf(change, null, speaking));
}

const aboutOf = (change: Change, own: string | null, speaking: Speaking): Phrase =>
  own === null ? thing(subjectOf(change, speaking)) : plain(own);

/** A command gives many tasks the same value, which need not be put into words for each of them. */
function isAsGood(change: Change, first: Change): boolean {
  // The value of a setting depends on the setting.
  if (change.field !== first.field || change.field === 'value') return false;
  return change.before === first.before && change.after === first.after;
}

/** The same value was set, whatever was there before. */
function comesToTheSame(change: Change, first: Change): boolean {
  // The value of a setting depends on the setting.
  if (change.field !== first.field || change.field === 'value') return false;
  return change.after === first.after || JSON.stringify(change.after) === JSON.stringify(first.after);
}

/** Many things that had one thing done to them; null: what was done to them differs. */
function ofMany(changes: readonly Change[], count: number, speaking: Speaking): readonly Phrase[] | null {
  const first = changes[0] as Change;
  const about = thing(counted(count, 'item'));
  if (changes.some(({ kind }) => kind !== first.kind)) return null;
  if (first.kind === 'set') {
    if (changes.every((change) => isAsGood(change, first))) return setPhrases(first, about, speaking);
    return changes.every((change) => comesToTheSame(change, first))
      ? setPhrases({ ...first, before: undefined }, about, speaking)
      : did('changed', about);
  }
  if (first.kind !== 'moved') return phrasesOf({ ...first, field: '' }, about, speaking);
  if (changes.some(({ after }) => after !== first.after)) return null;
  const isOnePlace = changes.every(({ before }) => before === first.before);
  return movedTo(isOnePlace ? first : { ...first, before: null }, about, speaking);
}

/** One sentence for all changes of a gesture, of which there is at least one. */
export function sentenceOf(
  changes: readonly Change[],
  { actor, account, own }: Told,
  of: Speaking,
): { readonly mark: HistoryMark; readonly phrases: readonly Phrase[] } {
  const speaking = { ...of, account };
  const first = changes[0] as Change;
  const count = new Set(changes.map((change) => subjectId(change, speaking.replica))).size;
  const ofMember = memberPhrases(first, speaking);
  const many = ofMember === null && count > 1 ? ofMany(changes, count, speaking) : null;
  const one = () => phrasesOf(first, aboutOf(first, own, speaking), speaking);
  const rest = many === null && changes.length > 1 ? changes.length - 1 : 0;
  const said = [
    ...(ofMember ?? [plain(`${actor} `), ...(many ?? one())]),
    ...(rest > 0 ? [plain(`, and ${counted(rest, 'more change')}`)] : []),
  ];
  return { mark: markOf(first), phrases: said.filter(({ text }) => text !== '') };
}

/** A sentence as it is heard, and as it is searched. */
export function spoken(phrases: readonly Phrase[]): string {
  return phrases
    .map((phrase) => (phrase.kind === 'change' ? ` from ${phrase.before} to ${phrase.text}` : phrase.text))
    .join('');
}
