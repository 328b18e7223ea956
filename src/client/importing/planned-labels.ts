// Labels and groups of a plan: those that are here by their names, and new ones with ids that every import derives from their
// names. Priorities are labels of one exclusive group. Pure.
import type { ImportedLabel } from '#core/formats/import/shape.ts';
import { deriveId, labelsRoot, type Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import { fitName } from '../text/fitting.ts';
import { writeEntityMark } from './digest.ts';
import type { IntoList, KnownLabel, PlanContext, Planned } from './port.ts';

/** The group of priorities. */
export const PRIORITY_GROUP = 'Priority';

export class PlannedLabels {
  readonly #context: PlanContext;
  /** Labels are those of the list that all goes into. */
  readonly #into: IntoList | null;
  readonly #byName: Map<string, Id>;
  readonly #groups: Map<string, Id>;
  readonly #used = new Set<Id>();
  #colors = 0;
  readonly made: Planned[] = [];
  /** Those that an earlier import made, with what the file says of them now. */
  readonly again: Planned[] = [];

  constructor(context: PlanContext, into: IntoList | null) {
    this.#context = context;
    this.#into = into;
    const byName = (all: readonly KnownLabel[]) =>
      new Map(all.toReversed().map(({ id, name }) => [fold(name.trim()), id]));
    this.#byName = byName((into ?? context).labels);
    this.#groups = byName((into ?? context).groups);
  }

  /** Labels that tasks of the plan have, and how many of them are new. */
  get counts(): { readonly all: number; readonly fresh: number } {
    return { all: this.#used.size, fresh: this.made.filter(({ type }) => type === 'label').length };
  }

  /** The label of that name, made where there is none. */
  id(label: Omit<ImportedLabel, 'key'>): Id {
    const name = fitName(label.name.trim()).text;
    const key = fold(name);
    const known = this.#byName.get(key);
    const id = known ?? this.#make(label, { name, key });
    if (known !== undefined && !this.#used.has(id)) this.#again(label, { id, name, key });
    this.#used.add(id);
    return id;
  }

  #make(
    label: Omit<ImportedLabel, 'key'>,
    { name, key }: { readonly name: string; readonly key: string },
  ): Id {
    const { colors } = this.#context;
    const { scope } = this.#into ?? this.#context;
    const id = this.#derived('label', key);
    const parent = label.group === null ? labelsRoot(scope) : this.#group(label.group);
    const color = label.color ?? colors[this.#colors % Math.max(1, colors.length)];
    if (label.color === null) this.#colors += 1;
    const fields = { name, ...(color === undefined ? {} : { color }) };
    this.made.push(plannedEntity({ id, type: 'label', parent, fields, mark: markOf(label) }));
    this.#byName.set(key, id);
    return id;
  }

  /** The label is here; if an import made it, its color may have changed in the file. */
  #again(
    label: Omit<ImportedLabel, 'key'>,
    { id, name, key }: { readonly id: Id; readonly name: string; readonly key: string },
  ): void {
    const mark = markOf(label);
    if (label.color === null || id !== this.#derived('label', key)) return;
    const fields = { name, color: label.color };
    const parent = labelsRoot((this.#into ?? this.#context).scope);
    this.again.push(plannedEntity({ id, type: 'label', parent, fields, mark }));
  }

  #derived(kind: 'label' | 'group', key: string): Id {
    const { inbox, turn = 0 } = this.#context;
    // Everybody in a shared list makes the same label.
    const owner = this.#into?.isShared === true ? this.#into.scope : inbox;
    return turn === 0
      ? deriveId('import', owner, kind, key)
      : deriveId('import', owner, kind, key, String(turn));
  }

  #group(said: string): Id {
    const { scope } = this.#into ?? this.#context;
    const name = fitName(said.trim()).text;
    const key = fold(name);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const id = this.#derived('group', key);
    const fields = { name, ...(said === PRIORITY_GROUP ? { exclusive: true } : {}) };
    this.made.push(
      plannedEntity({ id, type: 'labelGroup', parent: labelsRoot(scope), fields, mark: writeEntityMark({}) }),
    );
    this.#groups.set(key, id);
    return id;
  }
}

/** What is remembered of a label: that an import made it, and its color if the file says it. Its name is what it is known by. */
const markOf = ({ color }: Pick<ImportedLabel, 'color'>) =>
  color === null ? null : writeEntityMark({ color });

/** An entity that another import finds again by its id. */
export function plannedEntity(
  given: Pick<Planned, 'id' | 'type' | 'parent' | 'fields'> & Partial<Planned>,
): Planned {
  return { mark: null, mine: null, createdAt: null, isFound: true, list: -1, ...given };
}
