// What has become of rows: which were made, changed, moved, deleted or brought back, each with its differences. Pure.
import type { Id } from '#core/ids.ts';
import { Past } from '#sync/replica/history-view.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { type Change, isSilent } from '../../history/change.ts';
import { contentOf, differencesOf, isLiving } from '../../history/differences.ts';
import { builtInOf } from '../../search/built-in.ts';

/** One thing, and what has become of it. */
export interface OutcomeRow {
  readonly id: Id;
  readonly kind: 'created' | 'changed' | 'deleted' | 'restored';
  /** As people know it: as it was, or as it came. */
  readonly row: Row;
  /** Of a created one: what it has. */
  readonly changes: readonly Change[];
}

/** The rows that changed, as they were; undefined: they were not there. */
export type Before = ReadonlyMap<Id, Row | undefined>;
type Now = Pick<Replica, 'row' | 'children' | 'scope'>;

/** A completed occurrence says nothing that its task does not say, and who belongs to a list is no content. */
const UNTOLD: ReadonlySet<string> = new Set(['completion', 'member', 'mount']);

/** The thing that a row is about; null: none that people know of. */
function subjectOf(row: Row): Id | null {
  if (UNTOLD.has(row.type)) return null;
  return row.type === 'mine' ? row.fields.of : row.id;
}

/** What became of each thing, in the order in which they changed first. */
export function outcomeOf(before: Before, now: Now): readonly OutcomeRow[] {
  const past = new Past(now);
  past.replay([...before].map(([id, was]) => ({ id, before: now.row(id), after: was })));
  const comparing = { past, now, scope: now.scope };
  const subjects = new Set<Id>();
  for (const [id, was] of before) {
    const row = now.row(id) ?? was;
    const subject = row === undefined ? null : subjectOf(row);
    if (subject !== null) subjects.add(subject);
  }
  return [...subjects].flatMap((id): readonly OutcomeRow[] => {
    const [was, is] = [past.row(id), now.row(id)];
    // What is there as soon as it is opened was not made.
    if (builtInOf(now.scope, id) !== null) return [];
    const told = (changes: readonly Change[]) => changes.filter((change) => !isSilent(change, now));
    if (!isLiving(was)) {
      if (!isLiving(is)) return [];
      const isSetting = is.type === 'setting';
      const changes = was === undefined ? contentOf(id, comparing) : [];
      const kind = isSetting ? 'changed' : was === undefined ? 'created' : 'restored';
      return [{ id, kind, row: is, changes: told(changes) }];
    }
    const changes = told(differencesOf(id, comparing).map(({ change }) => change));
    if (changes.length === 0) return [];
    const kind = changes.some((change) => change.kind === 'deleted') ? 'deleted' : 'changed';
    return [{ id, kind, row: was, changes }];
  });
}

/** How many things of which kind, as their type. */
export function typeOf({ row }: OutcomeRow): string {
  return row.type === 'list' && fieldOf(row, 'listType') === 'folder' ? 'folder' : row.type;
}
