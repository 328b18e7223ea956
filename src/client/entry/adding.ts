// Makes a task of a line and what was recognized in it: what quick entry, the palette and a search without a result do.
import { type Id, inboxId } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Program } from '../app/program.ts';
import { setMine } from '../outline/personal-fields.ts';
import { quickEntryTokens } from '../settings/entry.ts';
import { quoted } from '../text/editor.ts';
import { moreNotes, taskText } from '../text/long-text.ts';
import { EntryReading } from './reading.ts';
import { finishTask, TokenLine } from './token-line.ts';
import type { Token } from '#core/titles/tokens.ts';
import { sayToken } from './values.ts';

/** A line that is read as the settings for quick entry say. `original`: words that are suggested at most. */
export function quickLine(program: Program, reading: EntryReading, original = ''): TokenLine {
  const mode = program.settings.get(quickEntryTokens);
  return new TokenLine(mode === 'suggest' ? 'signed' : mode, (text) => reading.read(text), original);
}

interface Entered {
  readonly title: string;
  readonly notes: string;
  readonly tokens: readonly Token[];
  /** The list for it, unless a token names one. */
  readonly parent: Id;
}

/** A task that was added; `said`: what was done, in a sentence. */
export interface Added {
  readonly id: Id;
  readonly said: string;
}

/** Adds the task. Null when the list does not take it. */
export function addEntered(
  program: Program,
  reading: EntryReading,
  { title, notes, tokens: given, parent }: Entered,
): Added | null {
  const { replica } = program;
  const { tokens, made: labels } = reading.settled(given, reading.values(given, null).list ?? parent);
  const { fields, list, snooze } = reading.values(tokens, null);
  const { fields: words, rest } = taskText(title, notes);
  const id = replica.newId();
  const place = { parent: list ?? parent };
  const task: Action = { a: 'create', id, type: 'task', fields: { ...words, ...fields }, place };
  const made = program.change(
    [
      ...labels,
      task,
      ...(snooze === null ? [] : setMine(replica, id, { snooze, snoozeCount: 1 })),
      ...moreNotes(id, rest, () => replica.newId()),
    ],
    `added ${quoted(words.title ?? '')}`,
  );
  if (made.verdicts[labels.length] !== 'ok') {
    // What was made for the task alone goes with it.
    const back = labels.map(({ id: label }): Action => ({ a: 'delete', id: label }));
    if (back.length > 0) program.change(back, 'removed labels', { undoable: false });
    return null;
  }
  const name = reading.lists().find((one) => one.id === place.parent)?.name;
  const where = place.parent === inboxId(replica.scope) ? 'the Inbox' : (name ?? 'the list');
  const said = tokens
    .filter(({ kind }) => kind !== 'list')
    .map((token) => sayToken(token, reading.context()));
  const added = `Added ${[quoted(words.title ?? ''), ...said].join(', ')} to ${where}.`;
  return { id, said: [added, reading.sayStays(title, tokens) ?? ''].join(' ').trim() };
}

/** Tells every part that a line became a task. */
export function tellLine(program: Program, line: string, parent: Id): void {
  for (const part of program.parts.hooks) part.addedLine?.(line, parent);
}

/** What a line that was typed elsewhere becomes: the title, and its tokens in words. */
export function readLine(program: Program, text: string): { readonly title: string; readonly said: string } {
  const reading = new EntryReading(program);
  const line = quickLine(program, reading);
  line.type(text, text.length);
  const { title, tokens } = finishTask(line, '');
  return { title, said: tokens.map((token) => sayToken(token, reading.context())).join(', ') };
}

/** Adds a line that was typed elsewhere to the Inbox or `parent`, or to the list that it names. Null: neither takes it. */
export function addLine(
  program: Program,
  text: string,
  parent: Id = inboxId(program.replica.scope),
): Added | null {
  const reading = new EntryReading(program);
  const line = quickLine(program, reading);
  line.type(text, text.length);
  const entered = { ...finishTask(line, ''), notes: '', parent };
  const literal = { title: text.trim(), tokens: [], notes: '', parent };
  const added = addEntered(program, reading, entered) ?? addEntered(program, reading, literal);
  if (added !== null) tellLine(program, text, parent);
  return added;
}
