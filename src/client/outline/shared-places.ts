// Lets shared lists be placed, and their tasks where the person orders them: both are the person's own (sync/mounts/). Until this
// has started, no command on lists has.
import { OwnOrder } from '#sync/mounts/own-order.ts';
import { placeOwn } from '#sync/mounts/own-placing.ts';
import { definePart, type PartHooks } from '../app/part.ts';

/** Starts with the rest, before any command on lists. */
export const sharedPlaces = definePart({
  name: 'Places of shared lists',
  create({ replica }): PartHooks {
    replica.learnToPlace(placeOwn, (stored) => new OwnOrder(stored));
    return {};
  },
});
