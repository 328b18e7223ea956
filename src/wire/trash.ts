// Emptying the trash now: `POST /app/api/trash`. Only in the account's own scope, and only named items that are still
// in the trash as they were when the person looked.
import * as z from 'zod/mini';
import { idSchema, msSchema } from './values.ts';

/** Most items of one request; a larger trash takes several. */
export const trashLimits = { mostItems: 200 } as const;

/** Body of `POST /app/api/trash`. */
export const emptyTrashSchema = z.object({
  /** Items that were trashed themselves, and when (`del.at`); those restored or deleted again since then stay. */
  items: z
    .array(z.object({ id: idSchema, at: msSchema }))
    .check(z.minLength(1), z.maxLength(trashLimits.mostItems)),
});
export type EmptyTrash = z.infer<typeof emptyTrashSchema>;

/** Answer of `POST /app/api/trash`. */
export const emptiedTrashSchema = z.object({
  success: z.literal(true),
  /** Number of items removed for good, with everything in them. */
  removed: z.int(),
  /** Number of items at the end of the list that there was no time for: ask again for these. */
  left: z.int(),
});
/** The result of a request to empty the trash. */
export type EmptiedTrash = z.infer<typeof emptiedTrashSchema>;
