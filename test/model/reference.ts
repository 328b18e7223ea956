// The reference model of apply: what every operation means, said as plainly as possible over plain maps and ordered
// arrays, slow and without order keys. Written from the rules (docs/rules/sync.md), not from src/sync.
import { completionIds, inboxId, labelsRoot, listsRoot, mineId, settingId, type Id } from '#core/ids.ts';
import { fixedRegisters, limits, placedTypes, type EntityType } from '#core/model.ts';
import { checkCreation, checkRegister } from '#wire/registers.ts';
import type { Action, NextOccurrence, Position, Verdict } from '#sync/rows/operation.ts';
import type { Stamp } from '#sync/rows/row.ts';

export interface ModelRow {
  readonly type: EntityType;
  /** Registers other than `place`; null = default. */
  readonly values: Map<string, unknown>;
  readonly stamps: Map<string, Stamp>;
  parent: Id | null;
  creation: Stamp;
  version: number;
  createdAt: number;
}

export interface ModelContext {
  readonly version: number;
  readonly time: number;
  readonly device: number;
  readonly seq: number;
  readonly base: number;
  readonly account: number;
}

/** A row as it was before the action under way. */
export interface Touched {
  readonly id: Id;
  readonly before: ModelRow | undefined;
}

type ActionOf<A extends Action['a']> = Extract<Action, { readonly a: A }>;

function copyOf(row: ModelRow): ModelRow {
  return { ...row, values: new Map(row.values), stamps: new Map(row.stamps) };
}

export class Model {
  readonly scope: Id;
  readonly rows = new Map<Id, ModelRow>();
  /** Children of every parent in order, trashed ones included. */
  readonly order = new Map<Id, Id[]>();
  readonly purged = new Set<Id>();
  /** Ids known to live in another scope. */
  readonly elsewhere: (id: Id) => boolean;
  private touched: Touched[] = [];

  constructor(scope: Id, elsewhere: (id: Id) => boolean = () => false) {
    this.scope = scope;
    this.elsewhere = elsewhere;
  }

  /** Applies one action; `touched` names every row it wrote. Only `ok` writes. */
  apply(
    action: Action,
    context: ModelContext,
  ): { readonly verdict: Verdict; readonly touched: readonly Touched[] } {
    this.touched = [];
    const verdict = this.decide(action, context);
    return { verdict, touched: this.touched };
  }

  stampOf(row: ModelRow, register: string): Stamp {
    return row.stamps.get(register) ?? row.creation;
  }

  children(parent: Id): readonly Id[] {
    return this.order.get(parent) ?? [];
  }

  /** Whether the row, or something it hangs under or is a record of, is in the trash or gone. */
  isTrash(id: Id): boolean {
    const row = this.rows.get(id);
    const about = row?.type === 'completion' ? (row.values.get('task') as Id) : null;
    if (about !== null) return this.purged.has(about) || this.isTrash(about);
    return this.chain(id).some((ancestor) => this.rows.get(ancestor)?.values.has('del') === true);
  }

  purge(id: Id): void {
    const row = this.rows.get(id);
    if (row?.parent)
      this.order.set(
        row.parent,
        this.children(row.parent).filter((other) => other !== id),
      );
    this.rows.delete(id);
    this.purged.add(id);
  }

  private decide(action: Action, context: ModelContext): Verdict {
    if (action.a === 'create') return this.create(action, context);
    // Nothing is brought back to a server that never lost anything.
    if (action.a === 'reoffer') return 'forbidden';
    const row = this.rows.get(action.id);
    if (row === undefined) return 'gone';
    switch (action.a) {
      case 'set':
        return this.set(row, action, context);
      case 'note':
        // Merging has no model: test/model/notes.test.ts says what must hold.
        return 'invalid';
      case 'place':
        return this.place(row, action, context);
      case 'delete':
        return this.delete(row, action, context);
      case 'restore':
        return this.restore(row, action, context);
      case 'complete':
        return this.complete(row, action, context);
      case 'reopen':
        return this.reopen(row, action, context);
    }
  }

  /** Rule SYNC-1: the stamp a write leaves, or null when what stands there wins. */
  private win(row: ModelRow, register: string, context: ModelContext): Stamp | null {
    const isUnsaid = row.type === 'mine' && !row.values.has(register) && !row.stamps.has(register);
    // Rule SYNC-17: nobody has written it.
    if (isUnsaid) return [context.version, context.time, context.device, context.seq];
    const [version, time, device, seq] = this.stampOf(row, register);
    if (device === context.device) {
      if (seq >= context.seq) return null;
      return [context.version, Math.max(context.time, time + 1), context.device, context.seq];
    }
    if (context.base >= version)
      return [context.version, Math.max(context.time, time + 1), context.device, context.seq];
    if (context.time < time) return null;
    if (context.time === time && context.device < device) return null;
    return [context.version, context.time, context.device, context.seq];
  }

  private touch(id: Id, version: number): ModelRow {
    const row = this.rows.get(id) as ModelRow;
    if (!this.touched.some((entry) => entry.id === id)) this.touched.push({ id, before: copyOf(row) });
    row.version = version;
    return row;
  }

  private write(id: Id, register: string, value: unknown, stamp: Stamp): void {
    const row = this.touch(id, stamp[0]);
    if (value === null || value === undefined) row.values.delete(register);
    else row.values.set(register, value);
    row.stamps.set(register, stamp);
  }

  private create(action: ActionOf<'create'>, context: ModelContext): Verdict {
    const { id, type, fields, place } = action;
    if (checkCreation(type, fields) !== null) return 'invalid';
    const derived = this.derived(type, fields);
    if (derived !== null && derived !== id) return 'invalid';
    if (type === 'completion') {
      const [task, occ] = [fields['task'] as Id, fields['occ'] as number];
      if (!completionIds(this.scope, task, occ).includes(id)) return 'invalid';
      if (this.rows.get(task)?.type !== 'task') return 'badparent';
    }
    const existing = this.rows.get(id);
    if (existing !== undefined)
      return (derived === null && type !== 'completion') || existing.type !== type
        ? 'exists'
        : this.merge(existing, action, context);
    if (this.purged.has(id)) return 'gone';
    if (this.elsewhere(id)) return derived === null ? 'exists' : 'forbidden';
    const values = new Map(Object.entries(fields).filter(([, value]) => value !== null));
    if (metadataSize(values) > limits.metadataCharacters) return 'limit';
    let parent: Id | null = null;
    if (placedTypes.has(type)) {
      if (place === undefined) return 'badparent';
      const isInbox = fields['listType'] === 'inbox' && type === 'list';
      const position: Position = isInbox ? { parent: listsRoot(this.scope), at: 'start' } : place;
      const found = this.findParent(id, type, position.parent);
      if (found.verdict !== undefined) return found.verdict;
      parent = found.parent;
      this.insert(id, parent, parent === position.parent ? position : { parent });
    } else if (place !== undefined) return 'invalid';
    for (const name of Array.from(values.keys())) {
      if (values.get(name) !== true) continue;
      for (const other of this.rivals(values, name)) values.delete(other);
    }
    const stamp: Stamp = [context.version, context.time, context.device, context.seq];
    const createdAt = Math.min(action.createdAt ?? context.time, context.time);
    this.touched.push({ id, before: undefined });
    this.rows.set(id, {
      type,
      values,
      stamps: new Map(),
      parent,
      creation: stamp,
      version: context.version,
      createdAt,
    });
    return 'ok';
  }

  private derived(type: EntityType, fields: Readonly<Record<string, unknown>>): Id | null {
    if (type === 'mine') return mineId(this.scope, fields['of'] as Id);
    if (type === 'setting') return settingId(this.scope, fields['key'] as string);
    return type === 'list' && fields['listType'] === 'inbox' ? inboxId(this.scope) : null;
  }

  private merge(existing: ModelRow, action: ActionOf<'create'>, context: ModelContext): Verdict {
    let verdict: Verdict = 'exists';
    for (const [register, value] of Object.entries(action.fields)) {
      if (fixedRegisters[action.type].includes(register)) continue;
      const stamp = this.win(existing, register, context);
      const replaced = value === true ? this.rivals(existing.values, register) : [];
      const stamps = replaced.map((other) => this.win(existing, other, context));
      if (stamp === null || stamps.includes(null)) continue;
      this.write(action.id, register, value, stamp);
      replaced.forEach((other, index) => this.write(action.id, other, null, stamps[index] as Stamp));
      verdict = 'ok';
    }
    return verdict;
  }

  private set(row: ModelRow, action: ActionOf<'set'>, context: ModelContext): Verdict {
    const { id, field, value } = action;
    if (['place', 'occ', 'del', ...fixedRegisters[row.type]].includes(field)) return 'invalid';
    if (checkRegister(row.type, field, value) !== null) return 'invalid';
    if (this.isChanged(row, field, action.only, context)) return 'superseded';
    const plain = this.win(row, field, context);
    if (plain === null) return 'superseded';
    const stamp = this.clears(row, action) ? this.clearing(row, action, { context, plain }) : plain;
    if (stamp === null) return 'superseded';
    if (field.startsWith('meta:')) {
      const wouldBe = new Map(row.values);
      if (value === null) wouldBe.delete(field);
      else wouldBe.set(field, value);
      const sawAll = context.base >= row.version || row.creation[2] === context.device;
      const oversteps =
        metadataSize(wouldBe) > limits.metadataCharacters &&
        metadataSize(row.values) <= limits.metadataCharacters;
      if (oversteps && sawAll) return 'limit';
    }
    const replaced = value === true ? this.rivals(row.values, field) : [];
    const stamps = replaced.map((other) => this.win(row, other, context));
    if (stamps.includes(null)) return 'superseded';
    this.write(id, field, value, stamp);
    replaced.forEach((other, index) => this.write(id, other, null, stamps[index] as Stamp));
    return 'ok';
  }

  private clears(row: ModelRow, { field, value, only }: ActionOf<'set'>): boolean {
    const isCleared = typeof value === 'object' && value !== null && 'cleared' in value;
    return row.type === 'task' && field === 'status' && only === undefined && isCleared;
  }

  /** Rule CLEAR-4: what was opened or completed anew unseen stays; clearing is as old as the completion, and a bit. */
  private clearing(
    row: ModelRow,
    { value }: ActionOf<'set'>,
    { context, plain }: { readonly context: ModelContext; readonly plain: Stamp },
  ): Stamp | null {
    const [version, time, device] = this.stampOf(row, 'status');
    const isSeen = device === context.device || context.base >= version;
    const status = row.values.get('status') as { readonly done: number } | undefined;
    const isThat = status !== undefined && status.done === (value as { readonly done: number }).done;
    if (!isSeen) return isThat ? plain : null;
    return isThat ? [plain[0], time + 1, plain[2], plain[3]] : plain;
  }

  /** Labels of the same exclusive group that stand beside this one. */
  private rivals(values: ReadonlyMap<string, unknown>, register: string): string[] {
    const group = this.exclusiveGroup(register);
    if (group === null) return [];
    return [...values.keys()].filter(
      (other) => other !== register && values.get(other) === true && this.exclusiveGroup(other) === group,
    );
  }

  private exclusiveGroup(register: string): Id | null {
    if (!register.startsWith('label:')) return null;
    const parent = this.rows.get(register.slice(6) as Id)?.parent;
    const group = parent ? this.rows.get(parent) : undefined;
    return parent && group?.type === 'labelGroup' && group.values.get('exclusive') === true ? parent : null;
  }

  private isChanged(
    row: ModelRow,
    register: string,
    only: number | undefined,
    context: ModelContext,
  ): boolean {
    if (only === undefined) return false;
    const [, , device, seq] = this.stampOf(row, register);
    return device !== context.device || seq !== only;
  }

  private place(row: ModelRow, action: ActionOf<'place'>, context: ModelContext): Verdict {
    if (!placedTypes.has(row.type) || row.values.get('listType') === 'inbox') return 'invalid';
    if (this.isChanged(row, 'place', action.only, context)) return 'superseded';
    const stamp = this.win(row, 'place', context);
    if (stamp === null) return 'superseded';
    return this.move(action.id, action.place, stamp);
  }

  private move(id: Id, position: Position, stamp: Stamp): Verdict {
    const row = this.rows.get(id) as ModelRow;
    const found = this.findParent(id, row.type, position.parent);
    if (found.verdict !== undefined) return found.verdict;
    const written = this.touch(id, stamp[0]);
    if (row.parent)
      this.order.set(
        row.parent,
        this.children(row.parent).filter((other) => other !== id),
      );
    this.insert(id, found.parent, found.parent === position.parent ? position : { parent: found.parent });
    written.parent = found.parent;
    written.stamps.set('place', stamp);
    return 'ok';
  }

  /** Rule SYNC-5: after that sibling, else before this one, else at the end asked for. */
  private insert(id: Id, parent: Id, position: Position): void {
    const siblings = this.children(parent).filter((other) => other !== id);
    const after = position.after === undefined ? -1 : siblings.indexOf(position.after);
    const before = position.before === undefined ? -1 : siblings.indexOf(position.before);
    let index = position.at === 'start' ? 0 : siblings.length;
    if (after >= 0) index = after + 1;
    else if (before >= 0) index = before;
    this.order.set(parent, siblings.toSpliced(index, 0, id));
  }

  private isRoot(id: Id): boolean {
    return id === listsRoot(this.scope) || id === labelsRoot(this.scope);
  }

  private findParent(
    id: Id,
    type: EntityType,
    wanted: Id,
  ): { readonly parent: Id; readonly verdict?: undefined } | { readonly verdict: Verdict } {
    if (this.isRoot(wanted)) {
      const fits =
        wanted === listsRoot(this.scope) ? type === 'list' : type === 'label' || type === 'labelGroup';
      return fits ? { parent: wanted } : { verdict: 'badparent' };
    }
    const row = this.rows.get(wanted);
    if (row === undefined) {
      if (!this.purged.has(wanted) || type === 'attachment') return { verdict: 'badparent' };
      return this.findParent(id, type, this.refuge(type));
    }
    if (wanted !== id && !accepts(type, row)) return { verdict: 'badparent' };
    const chain = this.chain(wanted);
    if (chain.includes(id)) return { verdict: 'cycle' };
    if (chain.length > limits.depth) return { verdict: 'limit' };
    const dead = chain.findLastIndex((ancestor) => this.rows.get(ancestor)?.values.has('del') === true);
    const living = chain[dead + 1];
    const parent = living === undefined ? undefined : this.rows.get(living);
    if (living !== undefined && parent !== undefined && accepts(type, parent)) return { parent: living };
    return type === 'attachment' ? { verdict: 'badparent' } : { parent: this.refuge(type) };
  }

  /** A row and all above it, nearest first. */
  private chain(id: Id): Id[] {
    const chain: Id[] = [];
    for (let at: Id | null = id; at !== null && !this.isRoot(at) && !chain.includes(at);) {
      const row: ModelRow | undefined = this.rows.get(at);
      if (row === undefined) break;
      chain.push(at);
      at = row.parent;
    }
    return chain;
  }

  private refuge(type: EntityType): Id {
    if (type === 'task') return inboxId(this.scope);
    return type === 'list' ? listsRoot(this.scope) : labelsRoot(this.scope);
  }

  private delete(row: ModelRow, action: ActionOf<'delete'>, context: ModelContext): Verdict {
    if (!placedTypes.has(row.type) || row.values.get('listType') === 'inbox') return 'forbidden';
    if (this.isChanged(row, 'del', action.only, context)) return 'superseded';
    if (row.values.has('del')) return 'already';
    const stamp = this.win(row, 'del', context);
    if (stamp === null) return 'superseded';
    this.write(action.id, 'del', { at: context.time, by: context.account }, stamp);
    return 'ok';
  }

  private restore(row: ModelRow, action: ActionOf<'restore'>, context: ModelContext): Verdict {
    if (this.isChanged(row, 'del', action.only, context)) return 'superseded';
    if (!row.values.has('del')) return 'already';
    const stamp = this.win(row, 'del', context);
    if (stamp === null) return 'superseded';
    this.write(action.id, 'del', null, stamp);
    const { parent } = row;
    if (parent === null) return 'ok';
    const found = this.findParent(action.id, row.type, parent);
    const placeStamp = this.win(row, 'place', context);
    if (found.verdict === undefined && found.parent !== parent && placeStamp !== null)
      this.move(action.id, { parent: found.parent }, placeStamp);
    return 'ok';
  }

  private complete(row: ModelRow, action: ActionOf<'complete'>, context: ModelContext): Verdict {
    if (row.type !== 'task') return 'invalid';
    const occ = (row.values.get('occ') as number | undefined) ?? 0;
    if (action.occ < occ) return 'already';
    if (action.occ === occ && row.values.has('status')) return 'already';
    if (action.occ > occ) return 'superseded';
    if (action.next === null) return this.setStatus(row, action.id, { done: action.at }, context);
    const record = completionIds(this.scope, action.id, action.occ).find(
      (id) => this.rows.has(id) || !(this.purged.has(id) || this.elsewhere(id)),
    );
    if (record === undefined) return 'forbidden';
    const fields = new Map<string, unknown>([
      ['task', action.id],
      ['occ', action.occ],
      ['at', action.at],
      ['title', row.values.get('title') ?? ''],
    ]);
    for (const name of ['due', 'start']) if (row.values.has(name)) fields.set(name, row.values.get(name));
    this.advance(action.id, occ + 1, action.next, context);
    for (const id of action.anew ?? []) {
      const below = this.rows.get(id);
      if (below?.type === 'task' && below.values.has('status')) this.setStatus(below, id, null, context);
    }
    const existing = this.rows.get(record);
    this.touched.push({ id: record, before: existing });
    this.rows.set(record, {
      type: 'completion',
      values: fields,
      stamps: new Map(),
      parent: null,
      creation: [context.version, context.time, context.device, context.seq],
      version: context.version,
      createdAt: existing?.createdAt ?? context.time,
    });
    return 'ok';
  }

  private setStatus(row: ModelRow, id: Id, status: unknown, context: ModelContext): Verdict {
    const stamp = this.win(row, 'status', context);
    if (stamp === null) return 'superseded';
    this.write(id, 'status', status, stamp);
    return 'ok';
  }

  private advance(id: Id, occ: number, next: NextOccurrence, context: ModelContext): void {
    const row = this.rows.get(id) as ModelRow;
    this.write(id, 'occ', occ === 0 ? null : occ, [
      context.version,
      context.time,
      context.device,
      context.seq,
    ]);
    for (const register of ['due', 'start', 'repeat', 'title', 'duration', 'series', 'notes'] as const) {
      if (next[register] === undefined) continue;
      const stamp = this.win(row, register, context);
      if (stamp !== null) this.write(id, register, next[register], stamp);
    }
  }

  private reopen(row: ModelRow, action: ActionOf<'reopen'>, context: ModelContext): Verdict {
    if (row.type !== 'task') return 'invalid';
    const occ = (row.values.get('occ') as number | undefined) ?? 0;
    if (action.previous === null) {
      if (!row.values.has('status') || occ !== action.occ) return 'already';
      return this.setStatus(row, action.id, null, context);
    }
    if (occ !== action.occ + 1 || row.values.has('status')) return 'superseded';
    this.advance(action.id, action.occ, action.previous, context);
    const record = completionIds(this.scope, action.id, action.occ).find(
      (id) => this.rows.get(id)?.values.has('del') === false,
    );
    if (record !== undefined) {
      const stamp: Stamp = [context.version, context.time, context.device, context.seq];
      this.write(record, 'del', { at: context.time, by: context.account }, stamp);
    }
    return 'ok';
  }
}

function accepts(type: EntityType, parent: ModelRow): boolean {
  const listType = parent.values.get('listType');
  if (type === 'task')
    return (
      parent.type === 'task' || (parent.type === 'list' && (listType === 'list' || listType === 'inbox'))
    );
  if (type === 'list') return parent.type === 'list' && listType === 'folder';
  if (type === 'label') return parent.type === 'labelGroup';
  return type === 'attachment' && parent.type === 'task';
}

function metadataSize(values: ReadonlyMap<string, unknown>): number {
  const entries = [...values].filter(([name]) => name.startsWith('meta:'));
  if (entries.length === 0) return 0;
  return JSON.stringify(Object.fromEntries(entries.map(([name, value]) => [name.slice(5), value]))).length;
}
