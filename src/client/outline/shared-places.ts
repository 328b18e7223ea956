// Lets shared lists be placed: their place is the person's own (sync/mounts/). Until this has started, no command on lists has.
import { placeShared } from '#sync/mounts/issuing.ts';
import { definePart, type PartHooks } from '../app/part.ts';

/** Starts with the rest, before any command on lists. */
export const sharedPlaces = definePart({
  name: 'Places of shared lists',
  create({ replica }): PartHooks {
    replica.learnToPlace(placeShared);
    return {};
  },
});
