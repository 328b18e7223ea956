// Compares a plan with what is here: what is new, what changed in the other program, what was changed here since it came, what is
// in the trash. The result is actions and numbers; nothing is written. Pure; the plan comes in portions.
import { mineId, settingId, type Id } from '#core/ids.ts';
import { walkUp } from '#core/walk-up.ts';
import type { Action, ActionOf, Position } from '#sync/rows/operation.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import { isTrashed, nameOf, placeOf } from '#sync/rows/row-reading.ts';
import {
  type ComparedRegister,
  comparedRegisters,
  comparedValue,
  digestOf,
  type Digests,
  entityMarkKey,
  type EntityRegister,
  entityRegisters,
  IMPORT_META,
  joinEntityMark,
  readEntityMark,
  readMark,
  splitOrder,
  withOrder,
  writeMark,
} from './digest.ts';
import { AnewIds } from './anew-ids.ts';
import { Families } from './families.ts';
import type { Here } from './plain-here.ts';
import type { Planned } from './port.ts';

/** Tasks by what becomes of them. */
export interface StandingCounts {
  /** They come. */
  readonly fresh: number;
  /** They are here, and as the file has them. */
  readonly same: number;
  /** They changed in the other program, and change here. */
  readonly updated: number;
  /** They were changed here since they came, and in the other program too: what is here stays. */
  readonly left: number;
  /** They are in the trash here. */
  readonly trashed: number;
  /** They are under something that is in the trash and stays there. */
  readonly skipped: number;
  /** Lists, folders and labels that changed in the other program, and change here. */
  readonly entities: number;
  /** Tasks and lists that were moved among their neighbors in the other program, and move here. */
  readonly moved: number;
}

/** A task, list or label of which something stays as it is here, although the file has it otherwise. */
export interface Left {
  readonly title: string;
  readonly registers: readonly LeftRegister[];
}

/** A register of a task, list or label, or the order of what is under it. */
export type LeftRegister = ComparedRegister | EntityRegister | 'order';

/** An action of an import. */
export type ImportAction = Action;
/** One that makes something. */
export type ImportCreate = ActionOf<'create'>;

type Mark = NonNullable<ReturnType<typeof readMark>>;
type MutablePlace = { -readonly [Name in keyof Position]: Position[Name] };

/** What is to be done about one task. */
interface Compared {
  readonly changes: readonly Action[];
  readonly stays: readonly ComparedRegister[];
  readonly digests: Digests;
  /** Of the action that moves it under another parent; null: it stays under its own. */
  readonly place: MutablePlace | null;
}

const NOTHING: Compared = { changes: [], stays: [], digests: {}, place: null };
const MOST_NAMED = 20;
const LABEL = 'label:';

/** Takes the portions of a plan in order, then `finish`; `actions` then make what is missing and update what changed in the file. */
export class Standing {
  readonly #here: Here;
  readonly #anew: AnewIds;
  readonly #restores: boolean;
  readonly #movesNothing: boolean;
  /** Things that were moved in the file and stay where they are, because nothing is to be moved. */
  unmoved = 0;
  readonly actions: Action[] = [];
  readonly left: Left[] = [];
  /** Lists and tasks that stay in the trash: what is planned under them stays out. */
  readonly #skipped = new Set<Id>();
  readonly #restored = new Set<Id>();
  readonly #families = new Families();
  /** Fields of settings that remember lists and labels, as far as they are written. */
  readonly #marks = new Map<Id, { readonly key: string; value: string }>();
  readonly #underTrash = new Map<Id, boolean>();
  /** Lists of the plan that are here, by id. */
  readonly known = new Set<Id>();
  /** Tasks that come or change, by the number of their list. */
  readonly byList = new Map<number, number>();
  readonly #counts = {
    fresh: 0,
    same: 0,
    updated: 0,
    left: 0,
    trashed: 0,
    skipped: 0,
    entities: 0,
    moved: 0,
  };

  /** `restores`: what is in the trash comes back. `movesNothing`: what is here stays where it is among its neighbors. */
  constructor(
    here: Here,
    { restores, movesNothing = false }: { readonly restores: boolean; readonly movesNothing?: boolean },
  ) {
    this.#here = here;
    this.#anew = new AnewIds(here);
    this.#restores = restores;
    this.#movesNothing = movesNothing;
  }

  /** Tasks that come back from the trash. */
  get restored(): number {
    return this.#restores ? this.#counts.trashed : 0;
  }

  get counts(): StandingCounts {
    return this.#counts;
  }

  /** The next entities of the plan, parents first. */
  add(portion: readonly Planned[]): void {
    for (const planned of portion) this.#one(this.#asHere(planned));
  }

  /** The id under which something of the plan is here. */
  idOf(id: Id): Id {
    return this.#anew.now(id);
  }

  #asHere(planned: Planned): Planned {
    const [id, parent] = [this.#anew.now(planned.id), this.#anew.now(planned.parent)];
    const fields = this.#anew.fieldsNow(planned.fields);
    const isSame = id === planned.id && parent === planned.parent && fields === planned.fields;
    return isSame ? planned : { ...planned, id, parent, fields };
  }

  #one(planned: Planned): void {
    const isTask = planned.type === 'task';
    const row = this.#here.row(planned.id);
    if (row === undefined) {
      if (this.#skipped.has(planned.parent)) {
        this.#skipped.add(planned.id);
        if (isTask) this.#counts.skipped += 1;
      } else this.#create(planned);
      return;
    }
    if (!isTask) this.known.add(planned.id);
    if (!this.#isThere(row, planned)) return;
    if (isTask) this.#compare(planned, row);
    else if (planned.mark !== null) this.#compareEntity(planned, planned.mark, row);
  }

  #create(planned: Planned): void {
    const { id, type, parent, createdAt, mine, mark } = planned;
    const fields: Record<string, unknown> = { ...planned.fields };
    const place: { parent: Id; after?: Id; before?: Id; at?: 'start' | 'end' } = { parent };
    const at = createdAt === null ? {} : { createdAt };
    this.actions.push({ a: 'create', id, type, fields, place, ...at });
    if (mine !== null) {
      const of = mineId(this.#here.scope, id);
      this.actions.push({ a: 'create', id: of, type: 'mine', fields: { of: id, ...mine } });
    }
    if (mark !== null) this.#remember(id, mark);
    if (type === 'task' || type === 'list')
      this.#families.add(parent, {
        id,
        base: null,
        here: '',
        put: (key, to) => {
          Object.assign(place, to);
          const said = fields[IMPORT_META];
          if (typeof said === 'string') fields[IMPORT_META] = withOrder(said, key);
          this.#rememberOrder(id, key);
        },
      });
    if (type !== 'task') return;
    this.#counts.fresh += 1;
    this.#count(planned);
  }

  /** What a list or label was when it came, for later imports. */
  #remember(id: Id, mark: string): void {
    const key = entityMarkKey(id);
    const fields = { key, value: mark };
    this.#marks.set(id, fields);
    const action: Action = { a: 'create', id: settingId(this.#here.scope, key), type: 'setting', fields };
    this.actions.push(action);
  }

  #rememberOrder(id: Id, order: string): void {
    const fields = this.#marks.get(id);
    if (fields) fields.value = withOrder(splitOrder(fields.value).mark, order);
  }

  #heldMark(id: Id): string | null {
    const held = fieldOf(this.#here.row(settingId(this.#here.scope, entityMarkKey(id))), 'value');
    return typeof held === 'string' ? held : null;
  }

  /** Places what came and what was moved in the file. Once, after the last portion. */
  finish(): void {
    this.#families.place(this.#movesNothing, (parent, { isLeft, moved }) => {
      if (this.#movesNothing) {
        this.unmoved += moved;
        return;
      }
      if (moved > 0) this.#counts.moved += moved;
      if (!isLeft || this.left.length >= MOST_NAMED) return;
      const row = this.#here.row(parent);
      this.left.push({ title: row === undefined ? 'Lists' : nameOf(row), registers: ['order'] });
    });
  }

  #count({ list }: Planned): void {
    this.byList.set(list, (this.byList.get(list) ?? 0) + 1);
  }

  /** False: it is in the trash, and stays there. */
  #isThere(row: Row, planned: Planned): boolean {
    if (isTrashed(row)) {
      if (planned.type === 'task') this.#counts.trashed += 1;
      // A label comes back with the tasks that have it.
      if (this.#restores || planned.type === 'label' || planned.type === 'labelGroup') {
        this.actions.push({ a: 'restore', id: row.id });
        this.#restored.add(row.id);
        if (planned.type === 'task') this.#count(planned);
        return true;
      }
      this.#skipped.add(row.id);
      return false;
    }
    if (!this.#isUnderTrash(row)) return true;
    if (planned.type === 'task') this.#counts.trashed += 1;
    this.#skipped.add(row.id);
    return false;
  }

  /** Something above it is in the trash and is not brought back. */
  #isUnderTrash(row: Row): boolean {
    const passed: Id[] = [];
    let found = false;
    for (const id of walkUp(row.id, (at) => placeOf(this.#here.row(at))?.parent)) {
      const known = this.#underTrash.get(id);
      if (known !== undefined) {
        found = known;
        break;
      }
      const above = this.#here.row(id);
      if (id !== row.id && isTrashed(above) && !this.#restored.has(id)) {
        found = true;
        break;
      }
      passed.push(id);
    }
    for (const id of passed) this.#underTrash.set(id, found);
    return found;
  }

  /** A list, folder or label that is here. */
  #compareEntity(planned: Planned, mark: string, row: Row): void {
    const held = this.#heldMark(row.id);
    const { mark: was, order } = splitOrder(held ?? '');
    const isBack = this.#restored.has(row.id);
    if (held === null && isBack) this.#remember(row.id, mark);
    const [there, base] = [readEntityMark(mark), readEntityMark(held)];
    if (there === null) return;
    this.#member(planned, row, {
      order,
      move: (key, place) => {
        this.actions.push({ a: 'place', id: row.id, place });
        if (!this.#marks.has(row.id)) this.#remember(row.id, was);
        this.#rememberOrder(row.id, key);
      },
    });
    if (base === null || was === mark) return;
    const fields = registersOf(row);
    const digests = { ...base };
    const stays: EntityRegister[] = [];
    let count = 0;
    for (const register of entityRegisters) {
      const wanted = there[register] ?? '';
      if (wanted === (base[register] ?? '') || (register === 'color' && wanted === '')) continue;
      const is = digestOf(fields[register]);
      if (is !== wanted && is !== (base[register] ?? '')) {
        stays.push(register);
        continue;
      }
      digests[register] = wanted;
      if (is === wanted) continue;
      count += 1;
      const value = planned.fields[register] ?? null;
      this.actions.push({ a: 'set', id: row.id, field: register, value });
    }
    if (stays.length > 0 && this.left.length < MOST_NAMED)
      this.left.push({ title: nameOf(row), registers: stays });
    if (count === 0) return;
    this.#counts.entities += 1;
    const value = joinEntityMark(digests);
    this.#remember(row.id, order === null ? value : withOrder(value, order));
  }

  /** Counts among the children of its parent, if it is under it here. */
  #member(
    { id, parent }: Planned,
    row: Row,
    { order, move }: { readonly order: string | null; readonly move: (key: string, place: Position) => void },
  ): void {
    const place = placeOf(row);
    // Without a remembered place nothing can be said about its order.
    if (place?.parent !== parent || order === null) return;
    this.#families.add(parent, {
      id,
      base: order,
      here: place.key,
      put: (key, to) => {
        if (to !== null) move(key, to);
      },
    });
  }

  #compare(planned: Planned, row: Row): void {
    const fields = registersOf(row);
    const [said, held] = [planned.fields[IMPORT_META], fields[IMPORT_META]];
    const isBack = this.#restored.has(row.id);
    const { mark: was, order } = splitOrder(typeof held === 'string' ? held : '');
    const [there, base] = [readMark(said), readMark(held)];
    const { changes, stays, digests, place } =
      was === said || there === null ? NOTHING : this.#changesOf(planned, row, { there, base });
    if (stays.length > 0 && this.left.length < MOST_NAMED)
      this.left.push({ title: nameOf(row), registers: stays });
    const value = changes.length > 0 && there !== null ? writeMark(there.foreign, digests) : was;
    const memory = { a: 'set' as const, id: row.id, field: IMPORT_META, value };
    const isUpdated = changes.length > 0;
    if (isUpdated) {
      if (order !== null) memory.value = withOrder(value, order);
      this.actions.push(...changes, memory);
      this.#count(planned);
    }
    const put = (key: string) => {
      memory.value = withOrder(value, key);
      if (!isUpdated) this.actions.push(memory);
    };
    if (place !== null)
      this.#families.add(planned.parent, {
        id: row.id,
        base: null,
        here: '',
        put: (key, to) => {
          Object.assign(place, to);
          put(key);
        },
      });
    else
      this.#member(planned, row, {
        order,
        move: (key, to) => {
          this.actions.push({ a: 'place', id: row.id, place: to });
          put(key);
          if (!isUpdated) this.#count(planned);
        },
      });
    if (isBack) return;
    if (isUpdated) this.#counts.updated += 1;
    else if (stays.length > 0) this.#counts.left += 1;
    else this.#counts.same += 1;
  }

  /** What changed in the file and not here, and what stays as it is here. */
  #changesOf(
    planned: Planned,
    row: Row,
    { there, base }: { readonly there: Mark; readonly base: Mark | null },
  ): Compared {
    const fields = this.#anew.fieldsPlanned(registersOf(row));
    const above = placeOf(row)?.parent;
    const parent = above === undefined ? undefined : this.#anew.planned(above);
    const stays: ComparedRegister[] = [];
    const digests = { ...there.digests };
    const changes: Action[] = [];
    let place: MutablePlace | null = null;
    for (const register of comparedRegisters) {
      const [wanted, was] = [there.digests[register] ?? '', base?.digests[register] ?? ''];
      if (base !== null && wanted === was) continue;
      const is = digestOf(comparedValue(register, fields, parent));
      if (is === wanted) continue;
      if (base === null || is !== was) {
        stays.push(register);
        // Next time it counts as changed here again.
        digests[register] = was;
      } else if (register === 'place') {
        place = { parent: planned.parent };
        changes.push({ a: 'place', id: row.id, place });
      } else changes.push(...this.#set(planned, row, register));
    }
    return { changes, stays, digests, place };
  }

  #set({ fields }: Planned, row: Row, register: ComparedRegister): readonly Action[] {
    const { id } = row;
    // The date of a series counts from its rule.
    if (register === 'repeat')
      return ['repeat', 'due'].map((field) => ({ a: 'set', id, field, value: fields[field] ?? null }));
    if (register !== 'labels') return [{ a: 'set', id, field: register, value: fields[register] ?? null }];
    const labelsIn = (of: Readonly<Record<string, unknown>>) =>
      Object.keys(of).filter((name) => name.startsWith(LABEL) && of[name] === true);
    const [wanted, held] = [labelsIn(fields), labelsIn(registersOf(row))];
    return [
      ...held
        .filter((name) => !wanted.includes(name))
        .map((field): Action => ({ a: 'set', id, field, value: null })),
      ...wanted
        .filter((name) => !held.includes(name))
        .map((field): Action => ({ a: 'set', id, field, value: true })),
    ];
  }
}
