// The action that creates a list by its name alone, wherever it is named: in a title, or where a command asks for a list.
import { listsRoot } from '#core/ids.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { ActionOf } from '#sync/rows/operation.ts';
import { fitName } from '../text/fitting.ts';

/** At the end of all lists. A name that is too long is cut. */
export function newList(replica: Replica, name: string): ActionOf<'create'> {
  return {
    a: 'create',
    id: replica.newId(),
    type: 'list',
    fields: { listType: 'list', name: fitName(name.trim()).text },
    place: { parent: listsRoot(replica.scope) },
  };
}
