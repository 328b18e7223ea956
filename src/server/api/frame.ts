// The context of an account's tasks: its lists in sidebar order, and its labels. Read once and cached until the newest
// version among them changes, so that a call costs one index look-up.
import { generateKeyBetween } from 'fractional-indexing';
import { inboxId, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { ordinalOf } from '#core/ordinal.ts';
import type { ListType } from '#core/model.ts';
import { isTrashed, nameOf, placeOf } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { Store } from '../data/store.ts';
import type { TaskReads } from '../data/task-reads.ts';
import { must } from '#core/assert.ts';

export interface FramedList {
  readonly row: Row;
  readonly type: ListType;
  readonly parent: Id | null;
  readonly level: number;
  readonly ordinal: string;
  readonly isShared: boolean;
  readonly members: readonly number[];
}

export interface FramedLabel {
  readonly row: Row;
  readonly name: string;
  readonly group: Id | null;
  /** Position among the labels. */
  readonly order: number;
}

export interface Frame {
  /** Every scope the account may read, its personal one first. */
  readonly scopes: readonly Id[];
  readonly personal: Id;
  readonly inbox: Id;
  /** Lists not in the trash, in sidebar order. */
  readonly lists: readonly FramedList[];
  readonly labels: readonly FramedLabel[];
  list(id: Id): FramedList | undefined;
  label(id: Id): FramedLabel | undefined;
  labelNamed(name: string): FramedLabel | undefined;
  group(id: Id): Row | undefined;
}

interface ScopeFrame {
  readonly version: number;
  readonly lists: readonly FramedList[];
  readonly labels: readonly FramedLabel[];
  readonly groups: readonly Row[];
}

const KEPT_SCOPES = 2_000;
/** Total rows of the cache. */
const KEPT_ROWS = 200_000;

export interface Frames {
  of(actor: AccountActor): Promise<Frame>;
}

export function createFrames(ports: {
  readonly reads: Pick<TaskReads, 'frame' | 'frameVersion'>;
  readonly store: Pick<Store, 'membersOf'>;
}): Frames {
  const kept = new Map<Id, ScopeFrame>();
  /** By personal scope; valid as long as its parts are the same. */
  const joined = new Map<Id, { readonly parts: readonly ScopeFrame[]; readonly frame: Frame }>();
  let rows = 0;

  const sizeOf = ({ lists, labels }: ScopeFrame) => lists.length + labels.length + 1;

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
    const frame = arrange(scope, read, { isShared: scope !== personal, members });
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

interface Sharing {
  readonly isShared: boolean;
  readonly members: readonly number[];
}

function arrange(
  scope: Id,
  { version, rows }: { readonly version: number; readonly rows: readonly Row[] },
  sharing: Sharing,
): ScopeFrame {
  // Rows come sorted by parent and key.
  const byParent = Map.groupBy(rows, (row) => placeOf(row)?.parent);
  const lists: FramedList[] = [];
  if (!sharing.isShared && !rows.some(({ id }) => id === inboxId(scope))) {
    const [first] = byParent.get(listsRoot(scope)) ?? [];
    // The key that it will get.
    lists.push(firstInbox(scope, generateKeyBetween(null, first === undefined ? null : keyOf(first))));
  }
  const walk = (parent: Id, path: readonly string[]) => {
    for (const row of byParent.get(parent) ?? []) {
      if (row.type !== 'list' || isTrashed(row)) continue;
      const keys = [...path, keyOf(row)];
      lists.push({
        row,
        type: row.fields['listType'],
        parent: parent === listsRoot(scope) ? null : parent,
        level: path.length,
        ordinal: ordinalOf(keys),
        ...sharing,
      });
      walk(row.id, keys);
    }
  };
  walk(listsRoot(scope), []);
  const top = (byParent.get(labelsRoot(scope)) ?? []).filter((row) => !isTrashed(row));
  const groups = top.filter(({ type }) => type === 'labelGroup');
  const inGroups = groups.flatMap((group) =>
    (byParent.get(group.id) ?? []).map((row) => ({ row, group: group.id as Id | null })),
  );
  const labels = [...top.map((row) => ({ row, group: null })), ...inGroups]
    .filter(({ row }) => row.type === 'label' && !isTrashed(row))
    .map(({ row, group }, order) => ({ row, name: nameOf(row), group, order }));
  return { version, lists, labels, groups };
}

/** The Inbox of an account that no app has opened yet; the first write creates it. */
function firstInbox(scope: Id, key: string): FramedList {
  const row: Row = {
    id: inboxId(scope),
    type: 'list',
    scope,
    version: 0,
    fields: { listType: 'inbox', place: { parent: listsRoot(scope), key } },
    stamp: [0, 0, 0, 0],
    createdAt: 0,
    updatedAt: 0,
  };
  return {
    row,
    type: 'inbox',
    parent: null,
    level: 0,
    ordinal: ordinalOf([key]),
    isShared: false,
    members: [],
  };
}

function keyOf(row: Row): string {
  return must(placeOf(row), 'a list hangs somewhere').key;
}

function join(scopes: readonly Id[], personal: Id, frames: readonly ScopeFrame[]): Frame {
  const lists = frames.flatMap((frame) => frame.lists);
  const labels = frames.flatMap((frame) => frame.labels);
  const listById = new Map(lists.map((list) => [list.row.id, list]));
  const labelById = new Map(labels.map((label) => [label.row.id, label]));
  // Of several labels with the same name the first wins.
  const labelByName = new Map(labels.toReversed().map((label) => [label.name, label]));
  return {
    scopes,
    personal,
    inbox: inboxId(personal),
    lists,
    labels,
    list: (id) => listById.get(id),
    label: (id) => labelById.get(id),
    labelNamed: (name) => labelByName.get(name),
    group: (id) => frames.flatMap(({ groups }) => groups).find((row) => row.id === id),
  };
}
