// Emptying the trash now: `POST /app/api/trash`. Only of the account's own scope, and only what is named and still lies there
// as it did when the person looked.
import * as z from 'zod/mini';
import { idSchema, msSchema } from './values.ts';

export const trashLimits = { mostItems: 200 } as const;

export const emptyTrashSchema = z.object({
  /** What was put into the trash by itself, and when (`del.at`): what was restored or deleted anew meanwhile stays. */
  items: z
    .array(z.object({ id: idSchema, at: msSchema }))
    .check(z.minLength(1), z.maxLength(trashLimits.mostItems)),
});
export type EmptyTrash = z.infer<typeof emptyTrashSchema>;

export const emptiedTrashSchema = z.object({
  success: z.literal(true),
  /** Items that are gone for good, with everything in them. */
  removed: z.int(),
  /** How many from the end of the list there was no time for: ask again for these. */
  left: z.int(),
});
export type EmptiedTrash = z.infer<typeof emptiedTrashSchema>;
