// Tasks as the search language sees them: one object that moves from row to row and reads only requested fields. Facts
// about ancestors are cached until something moves.
import { blocksFor, whenOf } from '#core/calendar/blocks.ts';
import type { Id } from '#core/ids.ts';
import type { ScalarFields } from '#core/model.ts';
import type { Subject } from '#core/search/evaluate.ts';
import type { When } from '#core/when.ts';
import { registersOf, fieldOf, type Row } from '../rows/row.ts';
import { isTrashed, statusOf } from '../rows/row-reading.ts';
import { bits } from './task-index.ts';
import { isArchived } from '../rows/row-reading.ts';
import type { World } from './world.ts';
import { walkUp } from '#core/walk-up.ts';
import { parentOf } from '../rows/ancestors.ts';

const noLabels: readonly Id[] = [];
const noMetadata: ReadonlyMap<string, string> = new Map();

export class Subjects {
  readonly #world: World;
  readonly #subject: RowSubject;
  /** Per set of ids, by parent number: 1 when the parent or an ancestor of it is one of them, 0 when not. */
  #under = new WeakMap<ReadonlySet<Id>, number[]>();
  #archived: number[] = [];
  #nested: number[] = [];
  /** Grows with every reset of a cache. */
  #age = 0;

  constructor(world: World) {
    this.#world = world;
    this.#subject = new RowSubject(world, this);
  }

  /** Live: the next call moves the same object to another task. */
  at(slot: number): Subject | null {
    const row = this.#world.index.rowAt(slot);
    if (!row) return null;
    this.#subject.put(slot, row);
    return this.#subject;
  }

  /** Drops the caches: something was moved, archived or deleted. */
  forget(): void {
    this.#under = new WeakMap();
    this.#archived = [];
    this.#nested = [];
    this.#age += 1;
  }

  /** For a parent number: whether the parent, or an ancestor of it, is one of these. */
  under(ids: ReadonlySet<Id>): (parent: number) => boolean {
    if (ids.size === 0) return () => false;
    let age = this.#age;
    let known = this.#knownUnder(ids);
    const holds = (id: Id) => ids.has(id);
    return (parent) => {
      if (parent < 0) return false;
      if (age !== this.#age) {
        age = this.#age;
        known = this.#knownUnder(ids);
      }
      return (known[parent] ??= this.#climb(parent, holds)) === 1;
    };
  }

  #knownUnder(ids: ReadonlySet<Id>): number[] {
    let known = this.#under.get(ids);
    if (!known) this.#under.set(ids, (known = []));
    return known;
  }

  /** Whether the parent of a task is, or is in, an archived list. */
  isArchived(parent: number): boolean {
    if (parent < 0) return false;
    const holds = (_id: Id, row: Row | undefined) => row?.type === 'list' && isArchived(row);
    return (this.#archived[parent] ??= this.#climb(parent, holds)) === 1;
  }

  /** Whether the parent of a task is another task. */
  isNested(parent: number): boolean {
    if (parent < 0) return false;
    return (this.#nested[parent] ??= this.#isTask(parent) ? 1 : 0) === 1;
  }

  #isTask(parent: number): boolean {
    const { index } = this.#world;
    const id = index.parentId(parent);
    return id !== undefined && !index.named.has(id);
  }

  #climb(parent: number, holds: (id: Id, row: Row | undefined) => boolean): number {
    const { index, replica } = this.#world;
    const start = index.parentId(parent);
    for (const at of walkUp(start, (id) => parentOf(replica.row(id))))
      if (holds(at, replica.row(at))) return 1;
    return 0;
  }
}

const noBlocks: readonly When[] = [];

class RowSubject implements Subject {
  readonly #world: World;
  readonly #subjects: Subjects;
  #slot = 0;
  #row!: Row;
  #mine: Row | undefined | null = null;

  constructor(world: World, subjects: Subjects) {
    this.#world = world;
    this.#subjects = subjects;
  }

  put(slot: number, row: Row): void {
    this.#slot = slot;
    this.#row = row;
    this.#mine = null;
  }

  get #own(): Row | undefined {
    if (this.#mine === null) this.#mine = this.#world.index.mineOf(this.#row.id);
    return this.#mine;
  }

  get #parent(): number {
    return this.#world.index.parentAt(this.#slot);
  }

  get id(): Id {
    return this.#row.id;
  }

  #has(bit: number): boolean {
    return (this.#world.index.bitsAt(this.#slot) & bit) !== 0;
  }

  get title(): string {
    const text = this.#world.index.textAt(this.#slot);
    const end = this.#has(bits.notes) ? text.indexOf('\n') : -1;
    return end < 0 ? text : text.slice(0, end);
  }

  get notes(): string {
    if (!this.#has(bits.notes)) return '';
    const text = this.#world.index.textAt(this.#slot);
    const end = text.indexOf('\n');
    return end < 0 ? '' : text.slice(end + 1);
  }

  get completedAt(): number | null {
    return this.#has(bits.done) ? (statusOf(this.#row)?.done ?? null) : null;
  }

  get isCleared(): boolean {
    return this.#has(bits.cleared);
  }

  get due(): When | null {
    return this.#has(bits.due) ? (fieldOf(this.#row, 'due') ?? null) : null;
  }

  get start(): When | null {
    return this.#has(bits.start) ? (fieldOf(this.#row, 'start') ?? null) : null;
  }

  get snooze(): When | null {
    return this.#has(bits.snooze) ? (fieldOf(this.#own, 'snooze') ?? null) : null;
  }

  get blocks(): readonly When[] {
    if (!this.#has(bits.block)) return noBlocks;
    const own = this.#own;
    if (own?.type !== 'mine') return noBlocks;
    return blocksFor(own, fieldOf(this.#row, 'occ') ?? 0).map(({ block }) => whenOf(block));
  }

  get createdAt(): number {
    return this.#row.createdAt;
  }

  /** A row that only this device has lacks the server's time: its creation or last stamp counts. */
  get updatedAt(): number {
    return this.#row.updatedAt === 0 ? latestStamp(this.#row) : this.#row.updatedAt;
  }

  get scalars(): ScalarFields {
    return this.#row.type === 'task' ? this.#row.fields : {};
  }

  get isRepeating(): boolean {
    return this.#has(bits.repeat);
  }

  get isBookmarked(): boolean {
    return this.#has(bits.bookmark);
  }

  get isShared(): boolean {
    return this.#row.scope !== this.#world.replica.scope;
  }

  get isEmailed(): boolean {
    return this.#has(bits.origin);
  }

  get isArchived(): boolean {
    return this.#subjects.isArchived(this.#parent);
  }

  get isNested(): boolean {
    return this.#subjects.isNested(this.#parent);
  }

  get hasChildren(): boolean {
    return this.#world.index.hasChildrenAt(this.#slot);
  }

  get hasAttachment(): boolean {
    return this.#holds('attachment');
  }

  get hasComment(): boolean {
    return this.#holds('comment');
  }

  get assignee(): number | null {
    return fieldOf(this.#row, 'assignee') ?? null;
  }

  #holds(type: Row['type']): boolean {
    const under = this.#world.replica.children(this.#row.id);
    return under.some((row) => row.type === type && !isTrashed(row));
  }

  get labels(): readonly Id[] {
    if (!this.#has(bits.label)) return noLabels;
    const labels = this.#world.index.labelsAt(this.#slot);
    const own = this.#own;
    if (!own) return labels;
    const mine = Object.keys(own.fields).filter((register) => register.startsWith('label:'));
    return mine.length === 0 ? labels : [...labels, ...mine.map((register) => register.slice(6) as Id)];
  }

  get metadata(): ReadonlyMap<string, string> {
    if (!this.#has(bits.metadata)) return noMetadata;
    let found: Map<string, string> | null = null;
    for (const register in this.#row.fields) {
      if (!register.startsWith('meta:')) continue;
      found ??= new Map();
      found.set(register.slice('meta:'.length), String(registersOf(this.#row)[register]));
    }
    return found ?? noMetadata;
  }

  isUnder(ids: ReadonlySet<Id>): boolean {
    return this.#subjects.under(ids)(this.#parent);
  }
}

function latestStamp({ stamp, stamps }: Row): number {
  let latest = stamp[1];
  for (const key in stamps) latest = Math.max(latest, stamps[key]?.[1] ?? 0);
  return latest;
}
