// Tasks as the search language sees them: one object that is put over row after row, reading only what is asked.
// What hangs under what is remembered until something moves.
import type { Id } from '#core/ids.ts';
import type { Subject } from '#core/search/evaluate.ts';
import { fold } from '#core/search/fold.ts';
import type { When } from '#core/when.ts';
import type { Row } from '#sync/row.ts';
import { isTrashed, placeOf, statusOf } from '../children.ts';
import { isArchived } from '../sidebar.ts';
import type { World } from './world.ts';

const noMetadata: ReadonlyMap<string, string> = new Map();

export class Subjects {
  readonly #world: World;
  readonly #subject: RowSubject;
  /** Per set of ids: whether a row, or something above it, is one of them. */
  #under = new WeakMap<ReadonlySet<Id>, Map<Id, boolean>>();
  #archived = new Map<Id, boolean>();

  constructor(world: World) {
    this.#world = world;
    this.#subject = new RowSubject(world, this);
  }

  /** Live: the next call gives the same object over another task. */
  at(slot: number): Subject | null {
    const row = this.#world.index.rowAt(slot);
    if (!row) return null;
    this.#subject.put(slot, row);
    return this.#subject;
  }

  /** Something was moved, archived or deleted. */
  forget(): void {
    this.#under = new WeakMap();
    this.#archived = new Map();
  }

  /** Whether the row or something above it is one of these. */
  isUnder(id: Id | undefined, ids: ReadonlySet<Id>): boolean {
    if (id === undefined || ids.size === 0) return false;
    let known = this.#under.get(ids);
    if (!known) this.#under.set(ids, (known = new Map()));
    return this.#climb(id, known, (at) => ids.has(at));
  }

  /** Whether the row or something above it is an archived list. */
  isArchived(id: Id | undefined): boolean {
    if (id === undefined) return false;
    return this.#climb(id, this.#archived, (_at, row) => row?.type === 'list' && isArchived(row));
  }

  #climb(start: Id, known: Map<Id, boolean>, holds: (id: Id, row: Row | undefined) => boolean): boolean {
    const passed: Id[] = [];
    let answer = false;
    for (let at: Id | undefined = start; at !== undefined;) {
      const told = known.get(at);
      if (told !== undefined) {
        answer = told;
        break;
      }
      const row = this.#world.replica.row(at);
      passed.push(at);
      if (holds(at, row)) {
        answer = true;
        break;
      }
      at = placeOf(row)?.parent;
    }
    for (const id of passed) known.set(id, answer);
    return answer;
  }
}

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

  get #parent(): Id | undefined {
    return placeOf(this.#row)?.parent;
  }

  get id(): Id {
    return this.#row.id;
  }

  get title(): string {
    const text = this.#world.index.textAt(this.#slot);
    const end = text.indexOf('\n');
    return end < 0 ? text : text.slice(0, end);
  }

  get notes(): string {
    const text = this.#world.index.textAt(this.#slot);
    const end = text.indexOf('\n');
    return end < 0 ? '' : text.slice(end + 1);
  }

  get completedAt(): number | null {
    return statusOf(this.#row)?.done ?? null;
  }

  get isCleared(): boolean {
    return statusOf(this.#row)?.cleared !== undefined;
  }

  get due(): When | null {
    return (this.#row.fields.due as When | undefined) ?? null;
  }

  get start(): When | null {
    return (this.#row.fields.start as When | undefined) ?? null;
  }

  get snooze(): When | null {
    return (this.#own?.fields.snooze as When | undefined) ?? null;
  }

  get createdAt(): number {
    return this.#row.createdAt;
  }

  /** What only this device knows of yet has no time of the server's: its creation or last stamp counts. */
  get updatedAt(): number {
    return this.#row.updatedAt === 0 ? latestStamp(this.#row) : this.#row.updatedAt;
  }

  get duration(): number | null {
    return (this.#row.fields.duration as number | undefined) ?? null;
  }

  get isRepeating(): boolean {
    return (this.#row.fields.repeat ?? null) !== null;
  }

  get isBookmarked(): boolean {
    return (this.#own?.fields.bookmarkedAt ?? null) !== null;
  }

  get isShared(): boolean {
    return this.#row.scope !== this.#world.replica.scope;
  }

  get isEmailed(): boolean {
    return (this.#row.fields.origin ?? null) !== null;
  }

  get isArchived(): boolean {
    return this.#subjects.isArchived(this.#parent);
  }

  get isNested(): boolean {
    const parent = this.#parent;
    return parent !== undefined && !this.#world.index.named.has(parent);
  }

  get hasChildren(): boolean {
    return this.#world.children.has(this.#row.id);
  }

  get hasAttachment(): boolean {
    const under = this.#world.replica.children(this.#row.id);
    return under.some((row) => row.type === 'attachment' && !isTrashed(row));
  }

  get labels(): readonly Id[] {
    const labels = this.#world.index.labelsAt(this.#slot);
    const own = this.#own;
    if (!own) return labels;
    const mine = Object.keys(own.fields).filter((register) => register.startsWith('label:'));
    return mine.length === 0 ? labels : [...labels, ...mine.map((register) => register.slice(6) as Id)];
  }

  get metadata(): ReadonlyMap<string, string> {
    let found: Map<string, string> | null = null;
    for (const register in this.#row.fields) {
      if (!register.startsWith('meta:')) continue;
      found ??= new Map();
      found.set(register.slice('meta:'.length), String(this.#row.fields[register]));
    }
    return found ?? noMetadata;
  }

  isUnder(ids: ReadonlySet<Id>): boolean {
    return this.#subjects.isUnder(this.#parent, ids);
  }
}

function latestStamp({ stamp, stamps }: Row): number {
  let latest = stamp[1];
  for (const key in stamps) latest = Math.max(latest, stamps[key]?.[1] ?? 0);
  return latest;
}

/** The title of a task as it is compared. */
export function foldedTitle(row: Row | undefined): string {
  return fold((row?.fields.title as string | undefined) ?? '');
}
