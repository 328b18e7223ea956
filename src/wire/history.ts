// The history of a scope, as the web app reads it: `GET /app/api/history/:scope`, newest first, whole versions per
// page; of a list of others only what came since the reader joined. Query: `id` for one entity, `under` for one with everything
// that is under it now, `before` (a version) to go on, `limit`. Values are those of registers, unchecked.
import * as z from 'zod/mini';
import { idSchema, msSchema } from './values.ts';

/** Entries per page: without `limit`, and at most. */
export const historyLimits = { defaultEntries: 100, mostEntries: 500 } as const;

const versionSchema = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));

const historyEntrySchema = z.object({
  version: versionSchema,
  /** Number of the account that made the change. */
  account: z.int(),
  /** Number of the device that made the change. */
  device: z.int(),
  at: msSchema,
  /** The operation as it was sent (sync.ts), in any protocol version that this server has spoken. */
  operation: z.looseObject({ a: z.string(), id: idSchema, q: z.int() }),
  /**
   * The registers of every changed entity before the change. Null: the entity did not exist; a null value: the default.
   */
  before: z.array(z.object({ id: idSchema, fields: z.nullable(z.record(z.string(), z.unknown())) })),
});
/** One operation of the history, with what it replaced. */
export type WireHistoryEntry = z.infer<typeof historyEntrySchema>;

/** Answer of `GET /app/api/history/:scope`. */
export const historyPageSchema = z.object({
  success: z.literal(true),
  entries: z.array(historyEntrySchema),
  /** `before` of the next page; null on the last one. */
  next: z.nullable(versionSchema),
});
/** A page of the history, newest first. */
export type HistoryPage = z.infer<typeof historyPageSchema>;
