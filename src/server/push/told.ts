// Detects in a write transaction whom it mentions or gives a task, in lists of several people. It only names them: whether they are to
// be told is decided when the message is sent (notices.ts).
import { mentionedIn } from '#core/mentions.ts';
import { readField } from '#core/model.ts';
import type { HistoryEntry, NoticeMark, ReminderMarks, ScopeRecord } from '../data/store.ts';
import { marksOf, type WrittenRow } from './marks.ts';

/** More than this in one comment are no mentions anymore. */
const MOST_MENTIONED = 20;

/** Who is named in a comment. One that is encrypted names nobody that the server could tell. */
function namedIn(fields: Readonly<Record<string, unknown>>): readonly number[] {
  const text: unknown = readField(fields, 'text');
  return typeof text === 'string' ? mentionedIn(text) : [];
}

/** What devices bring back, or what moves, is news to nobody: only what is made or set counts. */
function noticesOf({ operation, account: author, before }: HistoryEntry): readonly NoticeMark[] {
  if (operation.a !== 'create' && operation.a !== 'set') return [];
  const { id } = operation;
  const was = before.find((row) => row.id === id);
  // Nor is what is undone.
  if (was === undefined || (operation.a === 'set' && operation.only !== undefined)) return [];
  const fields = operation.a === 'set' ? { [operation.field]: operation.value } : operation.fields;
  const isComment = operation.a === 'set' ? operation.field === 'text' : operation.type === 'comment';
  if (isComment) {
    const task = was.of;
    const earlier = new Set(namedIn(was.fields ?? {}));
    const named = namedIn(fields).filter((account) => account !== author && !earlier.has(account));
    if (task === undefined) return [];
    const notice = { task, kind: 'mention', comment: id, author } as const;
    return named.slice(0, MOST_MENTIONED).map((account) => ({ account, ...notice }));
  }
  const assignee = readField(fields, 'assignee') ?? null;
  const isSame = assignee === (was.fields?.['assignee'] ?? null);
  if (assignee === null || assignee === author || isSame) return [];
  return [{ account: assignee, task: id, kind: 'assigned', comment: '', author }];
}

/** A scope that a transaction has written. */
interface Written {
  readonly before: Pick<ScopeRecord, 'id' | 'kind'>;
}

/** Of these changes, those in shared lists. The last one about a person and a task stands. */
function toldOf(written: readonly Written[], history: readonly HistoryEntry[]): readonly NoticeMark[] {
  const shared = new Set(written.flatMap(({ before: { id, kind } }) => (kind === 'list' ? [id] : [])));
  if (shared.size === 0) return [];
  const last = new Map<string, NoticeMark>();
  for (const entry of history)
    if (shared.has(entry.scope))
      for (const notice of noticesOf(entry)) last.set(`${notice.account} ${notice.task}`, notice);
  return [...last.values()];
}

/** What a transaction means for reminders, and who is to be told of it; undefined: nothing, and nobody. */
export function marksIn(
  rows: Iterable<WrittenRow>,
  written: readonly Written[],
  history: readonly HistoryEntry[],
): ReminderMarks | undefined {
  return marksOf(rows, toldOf(written, history));
}
