// Routes of the server for programs that hold a copy of their account, as a program with the key of an encrypted account does: those of
// devices (wire/sync.ts, sealing.ts, pairing.ts) at other addresses and with an API token. Not part of the public API.
import * as z from 'zod/mini';
import { idSchema } from '../values.ts';

/** Where they are, below the address of the API. */
export const copyRoutes = {
  self: '/copy/v1',
  sync: '/copy/v1/sync',
  snapshot: '/copy/v1/snapshot',
  sealing: '/copy/v1/sealing',
  directory: '/copy/v1/sealing/directory',
  step: '/copy/v1/sealing/step',
  left: '/copy/v1/sealing/left',
  reencode: '/copy/v1/sealing/reencode',
  /** Below it, by its scope, the same of a list that stays encrypted: `directory`, `left`, `reencode`, `members`. */
  lists: '/copy/v1/sealing/lists',
  identity: '/copy/v1/sealing/identity',
  pairings: '/copy/v1/pairings',
} as const;

/** Answer of `GET /copy/v1`: whose token it is. */
export const copySelfSchema = z.object({
  account: z.int(),
  /** The account's own scope. */
  scope: idSchema,
  access: z.enum(['read', 'write']),
  /** When the account was made, milliseconds. */
  accountSince: z.number(),
});
/** Whose token it is, and what it may do. */
export type CopySelf = z.infer<typeof copySelfSchema>;
