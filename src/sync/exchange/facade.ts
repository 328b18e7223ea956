// The replica as the client gets it: all reading, and issuing, which the engine observes.
import type { ChangeCause, Issued, Replica, RowChange } from '../replica/replica-types.ts';
import type { DeviceReplica } from '../replica/replica.ts';

/** A replica for the client that also hands every issue to the disk. */
export function createFacade(
  engine: { readonly held: DeviceReplica },
  afterIssue: (issued: Issued) => void,
): Replica {
  return {
    get scope() {
      return engine.held.scope;
    },
    get scopes() {
      return engine.held.scopes;
    },
    get account() {
      return engine.held.account;
    },
    get size() {
      return engine.held.size;
    },
    row: (id) => engine.held.row(id),
    children: (parent) => engine.held.children(parent),
    all: () => engine.held.all(),
    learnToMerge: (merge) => engine.held.learnToMerge(merge),
    newId: () => engine.held.newId(),
    now: () => engine.held.now(),
    issue(actions, options) {
      const issued = engine.held.issue(actions, options);
      afterIssue(issued);
      return issued;
    },
    subscribe: (listener: (changes: readonly RowChange[], cause: ChangeCause) => void) =>
      engine.held.subscribe(listener),
  };
}
