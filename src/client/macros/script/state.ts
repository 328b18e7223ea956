// Makes what a script reads (model.ts) from the rows as they are now, for tasks and a list that were chosen before. Reads only
// these rows and what is above them.
import { inboxId, type Id } from '#core/ids.ts';
import { plainColor, type ListType } from '#core/model.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { isDayWhen, momentOf, type When } from '#core/when.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { rowsAbove } from '#sync/rows/ancestors.ts';
import { fieldOf, registersOf, type MineRow, type Row } from '#sync/rows/row.ts';
import { isShown, isTrashed, nameOf, placeOf, statusOf } from '#sync/rows/row-reading.ts';
import { todayOf } from '../../clock/dates.ts';
import { isLivingLabel, labelsIn } from '../../labels/catalog.ts';
import { mineOf } from '../../outline/personal-fields.ts';
import { missingBuiltIns } from '../../search/built-in.ts';
import type { IsoDay, IsoMoment, ScriptLabel, ScriptList, ScriptState, ScriptTask } from './model.ts';
import { scriptLimits } from './port.ts';
import { complaint, type Complaint } from './returned.ts';

type Reads = Pick<Replica, 'row' | 'children' | 'scope' | 'scopes'>;

/** What a script is about: ids that do not follow what happens later. */
export interface Chosen {
  /** The open list, smart list, or folder; null: something else is open. */
  readonly list: Id | null;
  /** Members of that list when it is a smart list. Others are read from the tree. */
  readonly members?: readonly Id[];
  /** The selected tasks, in their order. */
  readonly selected: readonly Id[];
}

/** When and where. */
export interface ScriptMoment {
  readonly now: number;
  readonly zone: string;
  /** Hour at which a new day begins. */
  readonly dayStart: number;
}

const LABEL = 'label:';
const META = 'meta:';
const { tasks: MOST_TASKS, stateCharacters: MOST_CHARACTERS } = scriptLimits;

/** Thrown and caught in this file: reading has to stop in the middle. */
class TooLarge extends Error {}

/** What a script may read. Rows that are gone or in the trash are left out. */
export function scriptStateOf(
  replica: Reads,
  { list, members, selected }: Chosen,
  moment: ScriptMoment,
): Result<ScriptState, Complaint> {
  const reading = new Reading(replica, moment.zone);
  try {
    const selectedList = list === null ? null : reading.list(list, members);
    return ok({
      selectedList,
      selectedTasks: reading.tasks(selected),
      now: iso(moment.now),
      zone: moment.zone,
      today: todayOf(moment).toString(),
    });
  } catch (error) {
    if (error instanceof TooLarge) return failed(complaint('large', error.message));
    throw error;
  }
}

const iso = (ms: number): IsoMoment =>
  Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'millisecond' });
const isoOrNull = (ms: number | null | undefined): IsoMoment | null =>
  ms === null || ms === undefined ? null : iso(ms);

/** One reading of one moment. Every task is made once. */
class Reading {
  readonly #replica: Reads;
  readonly #zone: string;
  readonly #made = new Map<Id, ScriptTask | null>();
  readonly #labels = new Map<Id, ScriptLabel>();
  #order: ReadonlyMap<Id, number> | null = null;
  #tasks = 0;
  #characters = 0;

  constructor(replica: Reads, zone: string) {
    this.#replica = replica;
    this.#zone = zone;
  }

  tasks(ids: readonly Id[]): ScriptTask[] {
    return ids.flatMap((id) => this.#task(id) ?? []);
  }

  list(id: Id, members: readonly Id[] | undefined): ScriptList | null {
    const { replica, row } = { replica: this.#replica, row: this.#listRow(id) };
    const isInbox = id === inboxId(replica.scope);
    if ((row !== undefined && row.type !== 'list') || isTrashed(row) || (!row && !isInbox)) return null;
    const listType: ListType = isInbox ? 'inbox' : (fieldOf(row, 'listType') ?? 'list');
    const sort = fieldOf(row, 'sort');
    const name = row === undefined ? 'Inbox' : nameOf(row);
    const notes = fieldOf(row, 'notes') ?? '';
    this.#count(name.length + notes.length);
    return {
      id,
      name,
      listType,
      indentLevel: [...rowsAbove(row, (at) => replica.row(at))].filter(({ type }) => type === 'list').length,
      archivedAt: isoOrNull(fieldOf(row, 'archivedAt')),
      smartListQuery: listType === 'smart' ? (fieldOf(row, 'query') ?? '') : null,
      persistentSortField: sort?.field ?? null,
      persistentSortOrder: sort?.order ?? null,
      notes,
      tasks: this.tasks(listType === 'smart' ? (members ?? []) : this.#beneath(id)),
    };
  }

  /** Also of a built-in smart list that is not stored yet. */
  #listRow(id: Id): Row | undefined {
    return this.#replica.row(id) ?? missingBuiltIns(this.#replica).find((row) => row.id === id);
  }

  /** Tasks in the order of their list, each before its subtasks. */
  #beneath(list: Id): readonly Id[] {
    const ids: Id[] = [];
    const waiting: Id[] = [list];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (id !== list) ids.push(id);
      if (ids.length > MOST_TASKS) throw this.#tooMany();
      const children = this.#replica.children(id);
      for (let at = children.length - 1; at >= 0; at -= 1) {
        const row = children[at];
        if (isShown(row)) waiting.push(row.id);
      }
    }
    return ids;
  }

  #tooMany(): TooLarge {
    return new TooLarge(
      `A script can read ${MOST_TASKS.toLocaleString('en-US')} tasks, and there are more in the list and the selection. Open a smaller list, or select fewer tasks.`,
    );
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters > MOST_CHARACTERS)
      throw new TooLarge(
        `A script can read ${MOST_CHARACTERS / 1_000_000} MB of text, and the list and the selection have more. Open a smaller list, or select fewer tasks.`,
      );
  }

  #task(id: Id): ScriptTask | null {
    let made = this.#made.get(id);
    if (made === undefined) this.#made.set(id, (made = this.#make(id)));
    return made;
  }

  /** Null: it is gone, in the trash, or no task. */
  #make(id: Id): ScriptTask | null {
    const row = this.#replica.row(id);
    if (row?.type !== 'task' || isTrashed(row)) return null;
    const above = [...rowsAbove(row, (at) => this.#replica.row(at))];
    if (above.some((one) => isTrashed(one))) return null;
    if ((this.#tasks += 1) > MOST_TASKS) throw this.#tooMany();
    const mine = mineOf(this.#replica, id);
    const { title = '', notes = '', duration = null, repeat = null } = row.fields;
    const metadata = metadataOf(row);
    this.#count(title.length + notes.length + JSON.stringify(metadata).length);
    const status = statusOf(row);
    const depth = above.findIndex(({ type }) => type !== 'task');
    const indentLevel = depth === -1 ? above.length : depth;
    return {
      id,
      title,
      notes,
      listID: placeOf(above[indentLevel - 1] ?? row)?.parent ?? '',
      indentLevel,
      completedAt: isoOrNull(status?.done),
      clearedAt: isoOrNull(status?.cleared),
      ...this.#dates(row, mine),
      snoozeCount: mine?.fields.snoozeCount ?? 0,
      durationMinutes: duration,
      repeatValue: repeat?.value ?? null,
      repeatUnit: repeat?.unit ?? null,
      repeatUnitMetadata: repeat?.metadata ?? null,
      repeatFrom: repeat?.from ?? null,
      labels: this.#labelsOf(row, mine),
      bookmarkedAt: isoOrNull(mine?.fields.bookmarkedAt),
      metadata,
    };
  }

  #dates(row: Row, mine: MineRow | undefined) {
    const due = this.#date(fieldOf(row, 'due'));
    const start = this.#date(fieldOf(row, 'start'));
    const snooze = this.#date(mine?.fields.snooze);
    return {
      dueAt: due.at,
      snoozedUntil: snooze.at,
      startsAt: start.at,
      timelessDueAt: due.day,
      timelessSnoozedUntil: snooze.day,
      timelessStartsAt: start.day,
    };
  }

  #date(when: When | null | undefined): { readonly at: IsoMoment | null; readonly day: IsoDay | null } {
    if (when === null || when === undefined) return { at: null, day: null };
    return isDayWhen(when) ? { at: null, day: when.on } : { at: iso(momentOf(when, this.#zone)), day: null };
  }

  /** Those that everybody sees and one's own, in the order of labels. */
  #labelsOf(row: Row, mine: MineRow | undefined): readonly ScriptLabel[] {
    const ids = new Set<Id>();
    for (const holder of [row, mine])
      for (const register in registersOf(holder))
        if (register.startsWith(LABEL)) ids.add(register.slice(LABEL.length) as Id);
    const labels = [...ids].flatMap((id) => this.#label(id) ?? []);
    if (labels.length < 2) return labels;
    const order = (this.#order ??= this.#orderOfLabels());
    const placeOf = ({ id }: ScriptLabel) => order.get(id as Id) ?? order.size;
    return labels.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  #label(id: Id): ScriptLabel | null {
    const known = this.#labels.get(id);
    if (known) return known;
    const row = this.#replica.row(id);
    if (!isLivingLabel(this.#replica, row)) return null;
    const parent = placeOf(row)?.parent;
    const isGrouped = parent !== undefined && this.#replica.row(parent)?.type === 'labelGroup';
    const label = {
      id,
      name: nameOf(row),
      colorHexString: fieldOf(row, 'color') ?? plainColor,
      associatedSharedListID: fieldOf(row, 'associatedSharedListID') ?? null,
      labelGroupID: isGrouped ? parent : null,
    };
    this.#labels.set(id, label);
    return label;
  }

  #orderOfLabels(): ReadonlyMap<Id, number> {
    const entries = this.#replica.scopes.flatMap((scope) => labelsIn(this.#replica, scope));
    return new Map(entries.map(({ row }, at) => [row.id, at]));
  }
}

/** Names that a script must not be able to do harm with stay what they are: own members of an object. */
function metadataOf(row: Row): Readonly<Record<string, string>> {
  const entries = Object.entries(registersOf(row)).flatMap(([register, value]) =>
    register.startsWith(META) && typeof value === 'string'
      ? [[register.slice(META.length), value] as const]
      : [],
  );
  return Object.fromEntries(entries);
}
