// The replica as the client gets it: its rows as the person sees them (mounts/), and issuing, which the engine observes.
import { Composition } from '../mounts/composition.ts';
import type { PlaceShared } from '../mounts/issuing.ts';
import type { Issued, Replica } from '../replica/replica-types.ts';
import type { DeviceReplica } from '../replica/replica.ts';

/** A replica for the client that also hands every issue, as it is stored, to the disk. Made before others listen. */
export function createFacade(inner: DeviceReplica, afterIssue: (issued: Issued) => void): Replica {
  const rows = new Composition(inner);
  let place: PlaceShared | null = null;
  return {
    get scope() {
      return inner.scope;
    },
    get scopes() {
      return inner.scopes;
    },
    get account() {
      return inner.account;
    },
    get size() {
      return inner.size;
    },
    row: (id) => rows.row(id),
    children: (parent) => rows.children(parent),
    all: () => rows.all(),
    members: (scope) => rows.members(scope),
    learnToMerge: (merge) => inner.learnToMerge(merge),
    learnToKeep: (keeps) => inner.learnToKeep(keeps),
    newId: () => inner.newId(),
    now: () => inner.now(),
    learnToPlace(learned, layer) {
      place = learned;
      if (layer) rows.order(layer(inner));
    },
    issue(actions, options) {
      const made = place?.(actions, inner, rows, options?.forAll);
      const [stored, changes] = rows.during(() => inner.issue(made?.actions ?? actions, options));
      afterIssue(stored);
      const seen = { ...stored, changes };
      return made?.result(seen, stored) ?? seen;
    },
    subscribe: (listener) => rows.subscribe(listener),
  };
}
