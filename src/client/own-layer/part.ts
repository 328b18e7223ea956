// A person's own layer over shared lists: hidden, muted, an order of their own. Reading and writing it is mount-fields.ts; the order
// itself is composed below the app (sync/mounts/own-order.ts).
import { definePart, type PartHooks } from '../app/part.ts';
import { mountOf } from './mount-fields.ts';
import { ownLayerCommands } from './own-layer-commands.ts';

/** What only this person sees of shared lists. */
export const ownLayer = definePart({
  name: 'Own layer',
  create(program): PartHooks {
    program.orderWords = (place) => {
      const { replica, workspace } = program;
      const list = replica.row(place)?.type === 'task' ? workspace.listOf(place) : replica.row(place);
      const isMine = list !== undefined && mountOf(replica, list.id)?.fields.ownSort === 'my-order';
      return isMine ? 'your own order' : '';
    };
    return {};
  },
  commands: ownLayerCommands,
});
