// What becomes of labels of one scope in another one, inside a write transaction: reads what the rule (sync/rows/label-mapping.ts)
// asks for, and makes the labels that are missing. Nothing is written here: who moves rows or applies an operation writes it with
// that.
import { generateKeyBetween } from 'fractional-indexing';
import { labelsRoot, type Id } from '#core/ids.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import {
  counterpartOf,
  idOfGroupCopy,
  idsOfCopies,
  isLabelLiving,
  labelNameKey,
  wayOfLabel,
  type GroupedLabel,
  type LabelWay,
  type RegisterWay,
} from '#sync/rows/label-mapping.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { asRow, fieldOf, isKnown, type Row, type Stamp } from '#sync/rows/row.ts';
import { isLabelPrivate } from '#sync/rows/label-mapping.ts';
import type { LabelTwin, Lookup, ScopeKind, WriteTransaction } from '../data/store.ts';

/** More labels than anybody has in one scope. */
const MOST_LABELS = 20_000;

/** What is read of a transaction. */
export type LabelReads = Pick<WriteTransaction, 'load' | 'beneath' | 'labelTwins' | 'whereabouts'>;

/** A scope, as its labels are read. */
export interface LabelScope {
  readonly id: Id;
  readonly kind: ScopeKind;
  /** It is encrypted: no label is copied to it, as nothing may stand there in the open. */
  readonly isSealed?: boolean;
  /** Rows that this transaction has written here. */
  written(): Iterable<Row>;
}

/** What is asked of a plan. */
export interface LabelsAsked {
  /** Whose labels stand for each other. */
  readonly account: number;
  /** The labels in question; true: some task carries it, so that there has to be one. */
  readonly labels: ReadonlyMap<Id, boolean>;
  readonly from: LabelScope;
  readonly to: LabelScope;
  /** Twins that this transaction has noted. */
  readonly noted: readonly LabelTwin[];
  /** The account may not read where they come from: only its own records tell what stands for them. */
  readonly isHidden?: boolean;
}

/** The write that makes labels. */
export interface LabelWriter {
  readonly version: number;
  readonly stamp: Stamp;
}

/** The answer. */
export interface LabelPlan {
  /** `hidden`: the account may not know what it is. */
  wayOf(label: Id): RegisterWay | { readonly type: 'hidden' };
  exclusiveGroupOf(label: Id): Id | null;
  /** Other labels of the group of a private label, if a task has one of them at most. */
  rivalsOf(label: Id): readonly Id[];
  /** Whether a label in question and another one, of any scope, are the same to a person: by their names, or by a record. */
  isSame(label: Id, other: Row): boolean;
  /** The labels and groups to be made in the scope that is entered. */
  made(writer: LabelWriter): readonly Row[];
  readonly twins: readonly LabelTwin[];
}

const STAYS = { type: 'stays' } as const;
const HIDDEN = { type: 'hidden' } as const;
const NOTHING: LabelPlan = {
  wayOf: () => STAYS,
  exclusiveGroupOf: () => null,
  rivalsOf: () => [],
  isSame: () => false,
  made: () => [],
  twins: [],
};

/** Decides what becomes of labels. Reads all labels of the scope that is entered, unless nothing is asked. */
export async function planLabels(tx: LabelReads, asked: LabelsAsked): Promise<LabelPlan> {
  if (asked.labels.size === 0) return NOTHING;
  const labels = asked.isHidden === true ? [] : await labelsFrom(tx, asked);
  if (labels.length === 0 && asked.isHidden !== true) return NOTHING;
  const there = await readLabelsOf(tx, asked.to);
  const ids = [...asked.labels.keys()];
  const stored = await tx.labelTwins(asked.account, ids);
  // What was noted last counts.
  const key = ({ personalLabel, scope }: LabelTwin) => `${personalLabel}${scope}`;
  const twins = new Map([...stored, ...asked.noted].map((twin) => [key(twin), twin]));
  const planning = new Planning(asked, there, [...twins.values()]);
  if (asked.isHidden === true) for (const id of ids) planning.follow(id);
  else await planning.decide(tx, labels);
  return planning;
}

/** The labels among these ids, with their groups. */
async function labelsFrom(
  tx: LabelReads,
  { labels, from, to: { isSealed = false } }: LabelsAsked,
): Promise<readonly GroupedLabel[]> {
  const written = new Map([...from.written()].map((row) => [row.id, row]));
  const read = async (ids: readonly Id[]): Promise<ReadonlyMap<Id, Row>> => {
    const missing = ids.filter((id) => !written.has(id));
    const rows = missing.map((id) => ({ scope: from.id, id }));
    const found = missing.length === 0 ? null : await tx.load({ rows, ancestors: [], siblings: [] });
    const row = (id: Id) => written.get(id) ?? rowOf(found?.rows.get(id));
    return new Map(ids.flatMap((id) => row(id) ?? []).map((each) => [each.id, each]));
  };
  const rows = [...(await read([...labels.keys()])).values()].filter((row) => row.type === 'label');
  const above = await read([...new Set(rows.flatMap((row) => placeOf(row)?.parent ?? []))]);
  // What is sealed nobody can copy here; a private one is not copied.
  return rows
    .map((row) => ({ row, group: groupIn(above, row) }))
    .filter((label) => isLabelPrivate(label) || !(isSealed || hasSealedName(label.row)));
}

const hasSealedName = (row: Row): boolean =>
  row.type === 'label' && (isEnvelope(row.fields.name) || isEnvelope(row.fields.color));

/** A scope that the transaction reads without having locked it: labels never leave their scope. */
export const unlocked = (id: Id): LabelScope => ({ id, kind: 'list', written: () => [] });

/** The rows of labels of any scopes, by their ids; what is no label is absent. */
export async function readLabels(tx: LabelReads, ids: readonly Id[]): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  const where = await tx.whereabouts(ids);
  const rows = [...where].map(([id, scope]) => ({ scope, id }));
  const found = (await tx.load({ rows, ancestors: [], siblings: [] })).rows;
  return ids.flatMap((id) => rowOf(found.get(id)) ?? []).filter(({ type }) => type === 'label');
}

const rowOf = (lookup: Lookup | undefined): Row | undefined =>
  lookup?.type === 'row' && isKnown(lookup.row) ? lookup.row : undefined;

function groupIn(rows: ReadonlyMap<Id, Row>, label: Row): Row | undefined {
  const parent = placeOf(label)?.parent;
  const group = parent === undefined ? undefined : rows.get(parent);
  return group?.type === 'labelGroup' ? group : undefined;
}

/** All labels and groups of a scope, also those in the trash. */
async function readLabelsOf(tx: LabelReads, scope: LabelScope): Promise<Map<Id, Row>> {
  const { id } = scope;
  const top = await tx.beneath(id, [labelsRoot(id)], MOST_LABELS);
  const groups = top.filter(({ type }) => type === 'labelGroup').map((row) => row.id);
  const within = groups.length === 0 ? [] : await tx.beneath(id, groups, MOST_LABELS);
  const found = new Map([...top, ...within].map((row) => [row.id, row]));
  for (const row of scope.written())
    if (row.type === 'label' || row.type === 'labelGroup') found.set(row.id, row);
  return found;
}

class Planning implements LabelPlan {
  readonly #asked: LabelsAsked;
  /** Labels and groups of the scope that is entered, those to be made included. */
  readonly #there: Map<Id, Row>;
  readonly #known: readonly LabelTwin[];
  readonly #ways = new Map<Id, RegisterWay | { readonly type: 'hidden' }>();
  readonly #names = new Map<Id, string>();
  readonly #rivals = new Map<Id, readonly Id[]>();
  readonly #made: Row[] = [];
  readonly #twins: LabelTwin[] = [];

  constructor(asked: LabelsAsked, there: Map<Id, Row>, known: readonly LabelTwin[]) {
    this.#asked = asked;
    this.#there = there;
    this.#known = known;
  }

  get twins(): readonly LabelTwin[] {
    return this.#twins;
  }

  wayOf(label: Id): RegisterWay | { readonly type: 'hidden' } {
    return this.#ways.get(label) ?? STAYS;
  }

  exclusiveGroupOf(label: Id): Id | null {
    const row = this.#there.get(label);
    const group = row === undefined ? undefined : groupIn(this.#there, row);
    return group !== undefined && fieldOf(group, 'exclusive') === true ? group.id : null;
  }

  rivalsOf(label: Id): readonly Id[] {
    return this.#rivals.get(label) ?? [];
  }

  isSame(label: Id, other: Row): boolean {
    const name = this.#names.get(label) ?? '';
    return (name !== '' && name === labelNameKey(other)) || this.#twinsOf(label).has(other.id);
  }

  made({ version, stamp }: LabelWriter): readonly Row[] {
    return this.#made.map((row) => ({ ...row, version, stamp, createdAt: stamp[1] }));
  }

  /** For a label that the account may not read. */
  follow(label: Id): void {
    const id = counterpartOf('', this.#lookedFor(label));
    this.#ways.set(label, id === undefined ? HIDDEN : { type: 'label', id });
  }

  async decide(tx: LabelReads, labels: readonly GroupedLabel[]): Promise<void> {
    for (const label of labels) {
      const { id } = label.row;
      this.#names.set(id, labelNameKey(label.row));
      const way = wayOfLabel(label, this.#lookedFor(id));
      this.#ways.set(id, await this.#settled(tx, label, way));
    }
  }

  async #settled(tx: LabelReads, label: GroupedLabel, way: LabelWay): Promise<RegisterWay> {
    const { id } = label.row;
    if (way.type === 'own' && fieldOf(label.group, 'exclusive') === true) await this.#readRivals(tx, label);
    if (way.type === 'stays' || way.type === 'own') return way;
    if (way.type === 'label') {
      if (!this.#twinsOf(id).has(way.id)) await this.#note(tx, id, way.id);
      return way;
    }
    // What is only taken off needs no label.
    const copy = this.#asked.labels.get(id) === true ? await this.#make(tx, label) : null;
    if (copy === null) return STAYS;
    await this.#note(tx, id, copy);
    return { type: 'label', id: copy };
  }

  async #readRivals(tx: LabelReads, { row, group }: GroupedLabel): Promise<void> {
    if (group === undefined) return;
    const { from } = this.#asked;
    const within = [...(await tx.beneath(from.id, [group.id], MOST_LABELS)), ...from.written()];
    const others = within.filter(({ id }) => id !== row.id);
    const ids = others.flatMap((other) => (placeOf(other)?.parent === group.id ? [other.id] : []));
    this.#rivals.set(row.id, [...new Set(ids)]);
  }

  #lookedFor(label: Id) {
    const living = [...this.#there.values()]
      .filter((row) => row.type === 'label')
      .map((row) => ({ row, group: groupIn(this.#there, row) }))
      .filter(isLabelLiving);
    return { scope: this.#asked.to.id, labels: living, twins: this.#twinsOf(label) };
  }

  /** What stands for a label, wherever that is. */
  #twinsOf(label: Id): ReadonlySet<Id> {
    const all = [...this.#known, ...this.#twins];
    const origins = all.filter((twin) => twin.sharedLabel === label).map((twin) => twin.personalLabel);
    const beside = all.filter((twin) => twin.personalLabel === label || origins.includes(twin.personalLabel));
    return new Set([...origins, ...beside.map((twin) => twin.sharedLabel)]);
  }

  /** Notes that two labels stand for each other; the one of the person, or that with which it began, comes first. */
  async #note(tx: LabelReads, label: Id, other: Id): Promise<void> {
    const { account, from, to } = this.#asked;
    if (to.kind === 'personal') {
      // The label of the person may stand for another one already, by which it is found the other way.
      const all = [...(await tx.labelTwins(account, [other])), ...this.#twins];
      if (all.some((twin) => twin.personalLabel === other && twin.scope === from.id)) return;
      this.#twins.push({ account, personalLabel: other, scope: from.id, sharedLabel: label });
      return;
    }
    const origin = this.#known.find((twin) => twin.sharedLabel === label)?.personalLabel ?? label;
    this.#twins.push({ account, personalLabel: origin, scope: to.id, sharedLabel: other });
  }

  /** Makes a label like this one; null: all its ids are taken. */
  async #make(tx: LabelReads, { row, group }: GroupedLabel): Promise<Id | null> {
    const id = await this.#free(tx, idsOfCopies(this.#asked.to.id, row.id));
    if (id === null) return null;
    const parent = group === undefined ? undefined : await this.#groupLike(tx, group);
    const [name, color] = [fieldOf(row, 'name'), fieldOf(row, 'color')];
    this.#put(id, 'label', parent, {
      ...(name === undefined ? {} : { name }),
      ...(color === undefined ? {} : { color }),
      ...(this.#asked.to.kind === 'list' ? { visibility: 'shared' } : {}),
    });
    return id;
  }

  /** The group of that name, or one made like it; undefined: it has been deleted there, and the label is in no group. */
  async #groupLike(tx: LabelReads, group: Row): Promise<Id | undefined> {
    if (isLabelPrivate({ row: group, group: undefined })) return undefined;
    const name = labelNameKey(group);
    for (const row of this.#there.values())
      if (row.type === 'labelGroup' && isLabelLiving({ row, group: undefined }) && labelNameKey(row) === name)
        return row.id;
    const id = await this.#free(tx, [idOfGroupCopy(this.#asked.to.id, group.id)]);
    if (id === null) return undefined;
    const exclusive = fieldOf(group, 'exclusive');
    const fields = name === '' ? {} : { name: fieldOf(group, 'name') };
    this.#put(id, 'labelGroup', undefined, exclusive === undefined ? fields : { ...fields, exclusive });
    return id;
  }

  async #free(tx: LabelReads, ids: readonly Id[]): Promise<Id | null> {
    const { id: scope } = this.#asked.to;
    const rows = ids.map((id) => ({ scope, id }));
    const found = await tx.load({ rows, ancestors: [], siblings: [] });
    return ids.find((id) => !this.#there.has(id) && found.rows.get(id)?.type === 'unknown') ?? null;
  }

  /** At the end of its group, or of all labels. */
  #put(
    id: Id,
    type: 'label' | 'labelGroup',
    group: Id | undefined,
    fields: Readonly<Record<string, unknown>>,
  ): void {
    const { id: scope } = this.#asked.to;
    const parent = group ?? labelsRoot(scope);
    let last: string | null = null;
    for (const row of this.#there.values()) {
      const place = placeOf(row);
      if (place?.parent === parent && (last === null || place.key > last)) last = place.key;
    }
    const key = generateKeyBetween(last, null);
    const blank = { version: 0, stamp: [0, 0, 0, 0], createdAt: 0, updatedAt: 0 } as const;
    const row = asRow({ ...blank, id, type, scope, fields: { ...fields, place: { parent, key } } });
    this.#there.set(id, row);
    this.#made.push(row);
  }
}
