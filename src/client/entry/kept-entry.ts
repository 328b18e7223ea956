// What was typed in quick entry and not added, kept on this device until it is: a phone ends a page that is put aside
// without a word. An account finds what was typed before it was signed up.
import { isRecord, readRecord } from '#core/json.ts';
import type { Id } from '#core/ids.ts';
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { quoted } from '../text/editor.ts';
import { keptEntryKey } from './kept-entry-key.ts';
import type { LineContent } from './token-line.ts';

/** Grows when what is kept has another shape: then only the text of an older version is read. */
const VERSION = 1;

export interface KeptEntry {
  readonly line: LineContent;
  readonly notes: string;
  /** Chosen by hand; null: none was. */
  readonly list: Id | null;
  /** Why it could not be added where it was meant to go; empty: it was not refused. */
  readonly reason: string;
  readonly asksForList: boolean;
  /** What was waiting when this one came: its turn is next. */
  readonly behind?: KeptEntry;
}

/** Keeps it in place of what was kept before; null: nothing is left to add. */
export function keepEntry({ platform, replica }: Program, kept: KeptEntry | null): void {
  const { preferences } = platform;
  const text = kept === null ? '' : JSON.stringify({ version: VERSION, ...kept });
  const key = keptEntryKey(replica.account);
  if ((preferences.get(key) ?? '') !== text) preferences.set(key, text);
  const before = keptEntryKey(0);
  if (key !== before && (preferences.get(before) ?? '') !== '') preferences.set(before, '');
}

/** What is kept; null: nothing. */
export function keptEntry({ platform, replica }: Program): KeptEntry | null {
  const { preferences } = platform;
  for (const account of new Set([replica.account, 0])) {
    const kept = read(preferences.get(keptEntryKey(account)) ?? '');
    if (kept !== null) return kept;
  }
  return null;
}

function read(text: string): KeptEntry | null {
  const { version, ...kept } = readRecord(text);
  const { line, notes } = kept;
  if (!isRecord(line) || typeof line['text'] !== 'string') return null;
  if (version === VERSION) return kept as unknown as KeptEntry;
  return {
    line: { text: line['text'], accepted: [], literal: [], old: [] },
    notes: typeof notes === 'string' ? notes : '',
    list: null,
    reason: '',
    asksForList: false,
  };
}

function tellOfKept(program: Program): void {
  const kept = keptEntry(program);
  if (kept === null || program.dialog.get() !== null || program.messages.current !== null) return;
  const words = kept.line.text.trim() === '' ? kept.notes.trim() : kept.line.text.trim();
  program.say(`${quoted(words)} isn’t added yet. Quick entry has kept it.`, { brief: true });
}

/** Says once after the start that something typed earlier is not a task yet. */
export const keptEntryPart = definePart({
  name: 'Kept quick entry',
  create: (program) => {
    program.after(0, () => tellOfKept(program));
    return {};
  },
});
