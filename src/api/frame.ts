// The context of an account's tasks: its lists in sidebar order, the shared ones where their mounts stand, and its labels. Read
// once and cached until the newest version among them changes, so that a call costs one index look-up.
import { generateKeyBetween } from 'fractional-indexing';
import { inboxId, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { ordinalOf } from '#core/ordinal.ts';
import type { ListType } from '#core/model.ts';
import { composeLists, inOrder, isSharedList, type StoredTree } from '#sync/mounts/standing.ts';
import { parentOf } from '#sync/rows/ancestors.ts';
import { isTrashed, nameOf, placeOf } from '#sync/rows/row-reading.ts';
import { isLabelPrivate } from '#sync/rows/label-mapping.ts';
import type { Row } from '#sync/rows/row.ts';
import type { ApiActor, ApiStore } from './ports.ts';
import type { TaskReads } from './task-reads.ts';
import { must } from '#core/assert.ts';

export interface FramedList {
  /** As the account sees it: a shared list has the place of its mount. */
  readonly row: Row;
  readonly type: ListType;
  readonly parent: Id | null;
  readonly level: number;
  readonly ordinal: string;
  readonly isShared: boolean;
  readonly members: readonly number[];
}

/** A label among those of an account. */
export interface FramedLabel {
  readonly row: Row;
  readonly name: string;
  readonly group: Id | null;
  /** Position among the labels. */
  readonly order: number;
  /** Its person's alone, also on tasks of shared lists. */
  readonly isPrivate: boolean;
}

/** The lists and labels of an account, as it sees them. */
export interface Frame {
  /** Every scope the account may read, its personal one first. */
  readonly scopes: readonly Id[];
  readonly personal: Id;
  readonly inbox: Id;
  /** Lists and mounts as they are stored, for writing. */
  readonly stored: StoredTree & { readonly scope: Id };
  /** Lists not in the trash, in sidebar order. */
  readonly lists: readonly FramedList[];
  readonly labels: readonly FramedLabel[];
  list(id: Id): FramedList | undefined;
  label(id: Id): FramedLabel | undefined;
  /** Every label of exactly this name, one's own first. */
  labelsNamed(name: string): readonly FramedLabel[];
  group(id: Id): Row | undefined;
}

interface ScopeFrame {
  readonly version: number;
  /** Lists and mounts as they are stored, by parent and key. */
  readonly rows: readonly Row[];
  readonly members: readonly number[];
  readonly labels: readonly FramedLabel[];
  readonly groups: readonly Row[];
}

const KEPT_SCOPES = 2_000;
/** Total rows of the cache. */
const KEPT_ROWS = 200_000;

export interface Frames {
  of(actor: ApiActor): Promise<Frame>;
}

export function createFrames(ports: {
  readonly reads: Pick<TaskReads, 'frame' | 'frameVersion'>;
  readonly store: Pick<ApiStore, 'membersOf'>;
}): Frames {
  const kept = new Map<Id, ScopeFrame>();
  /** By personal scope; valid as long as its parts are the same. */
  const joined = new Map<Id, { readonly parts: readonly ScopeFrame[]; readonly frame: Frame }>();
  let rows = 0;

  const sizeOf = ({ rows: own, labels }: ScopeFrame) => own.length + labels.length + 1;

  function keep(scope: Id, frame: ScopeFrame): void {
    const before = kept.get(scope);
    if (before) rows -= sizeOf(before);
    kept.delete(scope);
    kept.set(scope, frame);
    rows += sizeOf(frame);
    for (const [oldest, other] of kept) {
      if (kept.size <= KEPT_SCOPES && rows <= KEPT_ROWS) break;
      kept.delete(oldest);
      rows -= sizeOf(other);
    }
  }

  async function frameOf(scope: Id, personal: Id): Promise<ScopeFrame> {
    const known = kept.get(scope);
    if (known && (await ports.reads.frameVersion(scope)) === known.version) return known;
    const read = await ports.reads.frame(scope);
    const members = scope === personal ? [] : await ports.store.membersOf(scope);
    const frame = arrange(scope, read, members);
    keep(scope, frame);
    return frame;
  }

  return {
    async of(actor) {
      const { personalScope } = actor;
      const scopes = [personalScope, ...[...actor.roles.keys()].filter((scope) => scope !== personalScope)];
      const frames: ScopeFrame[] = [];
      for (const scope of scopes) frames.push(await frameOf(scope, personalScope));
      const known = joined.get(personalScope);
      if (known?.parts.length === frames.length && frames.every((part, at) => part === known.parts[at]))
        return known.frame;
      const frame = join(scopes, personalScope, frames);
      if (joined.size >= KEPT_SCOPES) joined.clear();
      joined.set(personalScope, { parts: frames, frame });
      return frame;
    },
  };
}

function arrange(
  scope: Id,
  { version, rows }: { readonly version: number; readonly rows: readonly Row[] },
  members: readonly number[],
): ScopeFrame {
  // Rows come sorted by parent and key.
  const byParent = Map.groupBy(rows, (row) => placeOf(row)?.parent);
  const top = (byParent.get(labelsRoot(scope)) ?? []).filter((row) => !isTrashed(row));
  const groups = top.filter(({ type }) => type === 'labelGroup');
  const inGroups = groups.flatMap((group) =>
    (byParent.get(group.id) ?? []).map((row) => ({ row, group: group.id as Id | null })),
  );
  const labels = [...top.map((row) => ({ row, group: null })), ...inGroups]
    .filter(({ row }) => row.type === 'label' && !isTrashed(row))
    .map(({ row, group }, order) => ({
      row,
      name: nameOf(row),
      group,
      order,
      isPrivate: isLabelPrivate({ row, group: groups.find(({ id }) => id === group) }),
    }));
  const lists = rows.filter(({ type }) => type === 'list' || type === 'mount');
  return { version, rows: lists, members, labels, groups };
}

/** Letters are the same however they are composed. */
const spelled = (name: string) => name.normalize('NFC');

/** The Inbox of an account that no app has opened yet; the first write creates it. */
function firstInbox(scope: Id, key: string): Row {
  return {
    id: inboxId(scope),
    type: 'list',
    scope,
    version: 0,
    fields: { listType: 'inbox', place: { parent: listsRoot(scope), key } },
    stamp: [0, 0, 0, 0],
    createdAt: 0,
    updatedAt: 0,
  };
}

/** The lists of all scopes as one sidebar. */
function listsIn(
  stored: Frame['stored'],
  frames: readonly ScopeFrame[],
  scopes: readonly Id[],
): FramedList[] {
  const personal = stored.scope;
  const top = listsRoot(personal);
  const members = new Map(frames.map((frame, at) => [scopes[at], frame.members]));
  const shared = frames.flatMap(({ rows }) => rows).filter((row) => isSharedList(row, personal));
  const mounted = Map.groupBy(composeLists(stored, personal, shared).values(), parentOf);
  const childrenOf = (parent: Id): readonly Row[] => {
    const rows = [...stored.children(parent), ...(mounted.get(parent) ?? [])].sort(inOrder);
    return rows.filter((row) => row.type === 'list' && !isTrashed(row));
  };
  const lists: FramedList[] = [];
  const walk = (rows: readonly Row[], path: readonly string[], parent: Id | null) => {
    for (const row of rows) {
      if (row.type !== 'list') continue;
      const keys = [...path, keyOf(row)];
      const isShared = row.scope !== personal;
      lists.push({
        row,
        type: row.fields.listType,
        parent,
        level: path.length,
        ordinal: ordinalOf(keys),
        isShared,
        members: isShared ? (members.get(row.scope) ?? []) : [],
      });
      walk(childrenOf(row.id), keys, row.id);
    }
  };
  const first = childrenOf(top);
  // With the key that it will get.
  const key = () => generateKeyBetween(null, first[0] === undefined ? null : keyOf(first[0]));
  const hasInbox = stored.row(inboxId(personal)) !== undefined;
  walk(hasInbox ? first : [firstInbox(personal, key()), ...first], [], null);
  return lists;
}

function keyOf(row: Row): string {
  return must(placeOf(row), 'a list hangs somewhere').key;
}

function join(scopes: readonly Id[], personal: Id, frames: readonly ScopeFrame[]): Frame {
  const rows = frames.flatMap((frame) => frame.rows);
  const rowById = new Map(rows.map((row) => [row.id, row]));
  const byParent = Map.groupBy(rows, parentOf);
  const stored: Frame['stored'] = {
    scope: personal,
    row: (id) => rowById.get(id),
    children: (parent) => byParent.get(parent) ?? [],
  };
  const lists = listsIn(stored, frames, scopes);
  const labels = frames.flatMap((frame) => frame.labels);
  const listById = new Map(lists.map((list) => [list.row.id, list]));
  const labelById = new Map(labels.map((label) => [label.row.id, label]));
  const labelsByName = Map.groupBy(labels, ({ name }) => spelled(name));
  return {
    scopes,
    personal,
    inbox: inboxId(personal),
    stored,
    lists,
    labels,
    list: (id) => listById.get(id),
    label: (id) => labelById.get(id),
    labelsNamed: (name) => labelsByName.get(spelled(name)) ?? [],
    group: (id) => frames.flatMap(({ groups }) => groups).find((row) => row.id === id),
  };
}
