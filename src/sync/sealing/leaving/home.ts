// Which scope operations that wait belong to by now.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Operation } from '../../rows/operation.ts';
import { placeOf } from '../../rows/row-reading.ts';
import type { Row } from '../../rows/row.ts';
import type { SealingHost } from '../ports.ts';

type Host = Pick<SealingHost, 'scope' | 'confirmed' | 'row'>;

/** The task of a record, or the parent of anything else. */
export const above = (row: Row): Id | undefined =>
  row.type === 'completion' ? row.fields.task : placeOf(row)?.parent;

/** Goes through a queue: where rows are that the server doesn't have depends on what comes before. */
export class Homes {
  readonly #host: Host;
  /** Where operations so far have put rows that the server doesn't have. */
  readonly #parents = new Map<Id, Id>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** The scope of a row: that of the first one above it that the server has, which may have moved since. */
  of(id: Id): Id | undefined {
    let at: Id | undefined = id;
    for (let hops = 0; at !== undefined && hops < limits.depth; hops += 1) {
      // The top level of a scope has its id.
      if (at === this.#host.scope) return at;
      const confirmed = this.#host.confirmed(at);
      if (confirmed !== undefined) return confirmed.scope;
      const row: Row | undefined = this.#host.row(at);
      at = this.#parents.get(at) ?? (row === undefined ? undefined : above(row));
    }
    return undefined;
  }

  /** The scope that an operation belongs to. */
  next(operation: Operation): Id {
    const placed = operation.a === 'create' || operation.a === 'place' ? operation.place?.parent : undefined;
    // A row is made where it is put, and moves from where it was.
    if (placed !== undefined && operation.a === 'create') this.#parents.set(operation.id, placed);
    const home = this.of(operation.id) ?? operation.scope;
    if (placed !== undefined) this.#parents.set(operation.id, placed);
    return home;
  }
}

/** The scopes of operations, in the order of the queue. */
export function homesOf(host: Host, operations: readonly Operation[]): ReadonlyMap<Operation, Id> {
  const homes = new Homes(host);
  return new Map(operations.map((operation) => [operation, homes.next(operation)]));
}
