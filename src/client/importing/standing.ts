// Compares a plan with what is here: what is new, what changed in the other program, what was changed here since it came, what is
// in the trash. The result is actions and numbers; nothing is written. Pure; the plan comes in portions.
import { mineId, type Id } from '#core/ids.ts';
import { walkUp } from '#core/walk-up.ts';
import type { Action, ActionOf } from '#sync/rows/operation.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { asRow, registersOf, type Row } from '#sync/rows/row.ts';
import { isTrashed, nameOf, placeOf } from '#sync/rows/row-reading.ts';
import {
  type ComparedRegister,
  comparedRegisters,
  comparedValue,
  digestOf,
  IMPORT_META,
  readMark,
  writeMark,
} from './digest.ts';
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
}

/** A task of which something stays as it is here, although the file has it otherwise. */
export interface Left {
  readonly title: string;
  readonly registers: readonly ComparedRegister[];
}

/** An action of an import. */
export type ImportAction = Action;
/** One that makes something. */
export type ImportCreate = ActionOf<'create'>;

/** What is here, as far as a plan is compared with it. */
export type Here = Pick<Replica, 'row' | 'scope'>;

/** What is here where there is no replica: registers by id, as another client sees them. */
export class PlainHere implements Here {
  readonly #rows = new Map<Id, Row>();
  readonly scope: Id;

  constructor(scope: Id) {
    this.scope = scope;
  }

  add(id: Id, type: 'task' | 'list', fields: Readonly<Record<string, unknown>>): void {
    const stamp = [1, 0, 0, 0] as const;
    const row = { id, type, fields, scope: this.scope, version: 1, stamp, createdAt: 0, updatedAt: 0 };
    this.#rows.set(id, asRow(row));
  }

  row(id: Id): Row | undefined {
    return this.#rows.get(id);
  }
}

const MOST_NAMED = 20;
const LABEL = 'label:';

/** Takes the portions of a plan in order; `actions` then make what is missing and update what changed in the file. */
export class Standing {
  readonly #here: Here;
  readonly #restores: boolean;
  readonly actions: Action[] = [];
  readonly left: Left[] = [];
  /** Lists and tasks that stay in the trash: what is planned under them stays out. */
  readonly #skipped = new Set<Id>();
  readonly #restored = new Set<Id>();
  readonly #underTrash = new Map<Id, boolean>();
  /** Lists of the plan that are here, by id. */
  readonly known = new Set<Id>();
  /** Tasks that come or change, by the number of their list. */
  readonly byList = new Map<number, number>();
  readonly #counts = { fresh: 0, same: 0, updated: 0, left: 0, trashed: 0, skipped: 0 };

  /** `restores`: what is in the trash comes back. */
  constructor(here: Here, { restores }: { readonly restores: boolean }) {
    this.#here = here;
    this.#restores = restores;
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
    for (const planned of portion) this.#one(planned);
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
    if (this.#isThere(row, planned) && isTask) this.#compare(planned, row);
  }

  #create(planned: Planned): void {
    const { id, type, fields, parent, createdAt, mine } = planned;
    const place = { place: { parent } };
    const at = createdAt === null ? {} : { createdAt };
    this.actions.push({ a: 'create', id, type, fields, ...place, ...at });
    if (mine !== null) {
      const of = mineId(this.#here.scope, id);
      this.actions.push({ a: 'create', id: of, type: 'mine', fields: { of: id, ...mine } });
    }
    if (type !== 'task') return;
    this.#counts.fresh += 1;
    this.#count(planned);
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

  #compare(planned: Planned, row: Row): void {
    const fields = registersOf(row);
    const [said, held] = [planned.fields[IMPORT_META], fields[IMPORT_META]];
    const isBack = this.#restored.has(row.id);
    if (said === held) {
      if (!isBack) this.#counts.same += 1;
      return;
    }
    const [there, base] = [readMark(said), readMark(held)];
    if (there === null) return;
    const parent = placeOf(row)?.parent;
    const stays: ComparedRegister[] = [];
    const digests = { ...there.digests };
    const changes: Action[] = [];
    for (const register of comparedRegisters) {
      const [wanted, was] = [there.digests[register] ?? '', base?.digests[register] ?? ''];
      if (base !== null && wanted === was) continue;
      const is = digestOf(comparedValue(register, fields, parent));
      if (is === wanted) continue;
      if (base !== null && is === was) changes.push(...this.#set(planned, row, register));
      else {
        stays.push(register);
        // Next time it counts as changed here again.
        digests[register] = was;
      }
    }
    if (stays.length > 0 && this.left.length < MOST_NAMED)
      this.left.push({ title: nameOf(row), registers: stays });
    if (changes.length > 0) {
      const value = writeMark(there.foreign, digests);
      this.actions.push(...changes, { a: 'set', id: row.id, field: IMPORT_META, value });
      this.#count(planned);
    }
    if (isBack) return;
    if (changes.length > 0) this.#counts.updated += 1;
    else if (stays.length > 0) this.#counts.left += 1;
    else this.#counts.same += 1;
  }

  #set({ fields, parent }: Planned, row: Row, register: ComparedRegister): readonly Action[] {
    const { id } = row;
    if (register === 'place') return [{ a: 'place', id, place: { parent } }];
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
