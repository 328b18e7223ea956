// What happened in a scope, as the web app reads it: `GET /app/api/history/:scope`, newest first, whole versions per page.
// Query: `id` for one entity, `under` for one with everything beneath it now, `before` (a version) to go on, `limit`. Values are those of registers, unchecked.
import * as z from 'zod/mini';
import { idSchema, msSchema } from './values.ts';

export const historyLimits = { defaultEntries: 100, mostEntries: 500 } as const;

const versionSchema = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));

const historyEntrySchema = z.object({
  version: versionSchema,
  /** Number of the account that did it. */
  account: z.int(),
  /** Number of the device it was done on. */
  device: z.int(),
  at: msSchema,
  /** The operation as it was sent (sync.ts), of any protocol version this server has spoken. */
  operation: z.looseObject({ a: z.string(), id: idSchema, q: z.int() }),
  /** What the registers held before, of every entity it changed. Null: the entity did not exist; a null value: the default. */
  before: z.array(z.object({ id: idSchema, fields: z.nullable(z.record(z.string(), z.unknown())) })),
});
export type WireHistoryEntry = z.infer<typeof historyEntrySchema>;

export const historyPageSchema = z.object({
  success: z.literal(true),
  entries: z.array(historyEntrySchema),
  /** `before` of the next page; null when this was the last. */
  next: z.nullable(versionSchema),
});
export type HistoryPage = z.infer<typeof historyPageSchema>;
