// Ids of what was deleted for good are taken for ever. What an import makes again has an id that is derived from the taken one, on every
// device the same (anew.ts makes it). Here it is found. Pure.
import { deriveId, settingId, type Id } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { Here } from './plain-here.ts';

/** The setting that says that there are such ids. */
export const ANEW_KEY = 'import:anew';
/** So often a thing can be deleted for good and come again. */
const MOST_TURNS = 8;
export const LABEL = 'label:';

/** The id of a thing whose id is taken for ever. */
export const anewId = (id: Id): Id => deriveId('import anew', id);

/** Finds what was made under another id. Costs nothing where there is none. */
export class AnewIds {
  readonly #here: Here;
  readonly #has: boolean;
  readonly #now = new Map<Id, Id>();
  readonly #first = new Map<Id, Id>();

  constructor(here: Here) {
    this.#here = here;
    this.#has = fieldOf(here.row(settingId(here.scope, ANEW_KEY)), 'value') === true;
  }

  /** The id under which it is here; its own if it is not. */
  now(id: Id): Id {
    if (!this.#has || this.#here.row(id) !== undefined) return id;
    const known = this.#now.get(id);
    if (known !== undefined) return known;
    let found = id;
    for (let turn = 0, next = anewId(id); turn < MOST_TURNS; turn += 1, next = anewId(next))
      if (this.#here.row(next) !== undefined) {
        found = next;
        break;
      }
    this.#now.set(id, found);
    if (found !== id) this.#first.set(found, id);
    return found;
  }

  /** The id that it has in plans. */
  planned(id: Id): Id {
    return this.#first.get(id) ?? id;
  }

  /** Registers with labels under the ids that they have here. */
  fieldsNow(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return this.#has ? renamed(fields, (label) => this.now(label)) : fields;
  }

  /** Registers with labels under the ids that they have in plans. */
  fieldsPlanned(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return this.#has ? renamed(fields, (label) => this.planned(label)) : fields;
  }
}

/** Registers with other ids of labels. */
export function renamed(
  fields: Readonly<Record<string, unknown>>,
  idOf: (label: Id) => Id,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.startsWith(LABEL) ? `${LABEL}${idOf(name.slice(LABEL.length) as Id)}` : name,
      value,
    ]),
  );
}
