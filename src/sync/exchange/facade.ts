// The replica as the client gets it: its rows as the person sees them (mounts/), and issuing, which the engine observes.
import type { Id } from '#core/ids.ts';
import { Composition } from '../mounts/composition.ts';
import { issuedFor } from '../mounts/issuing.ts';
import type { Issued, Replica } from '../replica/replica-types.ts';
import type { DeviceReplica } from '../replica/replica.ts';

/** A replica for the client that also hands every issue, as it is stored, to the disk. Made before others listen. */
export function createFacade(inner: DeviceReplica, afterIssue: (issued: Issued) => void): Replica {
  const rows = new Composition(inner);
  return {
    get scope() {
      return inner.scope;
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
    newId: () => inner.newId(),
    now: () => inner.now(),
    issue(actions, options) {
      const steps = issuedFor(actions, inner, rows);
      const [issued, told] = rows.during(() => inner.issue(steps.flat(), options));
      afterIssue(issued);
      let at = -1;
      const isMount = (id: Id) => inner.row(id)?.type === 'mount';
      return {
        operations: issued.operations,
        verdicts: steps.map(({ length }) => issued.verdicts[(at += length)] ?? 'invalid'),
        // With those of mounts: undo follows what was written.
        changes: [...told, ...issued.changes.filter(({ id }) => isMount(id))],
        // A mount that was made stays.
        inverses: issued.inverses.filter(({ a, id }) => a !== 'delete' || !isMount(id)),
      };
    },
    subscribe: (listener) => rows.subscribe(listener),
  };
}
