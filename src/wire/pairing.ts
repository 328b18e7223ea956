// How a device without the key of its account gets it from one that has it: the calls by which the server carries what the two say
// (core/sealing/pairing.ts says what that is, and why the server learns nothing from it).
import * as z from 'zod/mini';
import { idSchema } from './values.ts';

/** Sizes and times of pairings. */
export const pairingLimits = {
  /** It is over after so long, whatever was said. */
  keptMs: 300_000,
  /** Of one account at once. */
  open: 5,
} as const;

/** 16 or 32 bytes in base64 of the URL alphabet. */
const nonceSchema = z.string().check(z.regex(/^[\w-]{22}$/));
const keySchema = z.string().check(z.regex(/^[\w-]{43}$/));
/** A nonce of 24 bytes, a key of 32 and a tag of 16. */
const handedSchema = z.string().check(z.regex(/^[\w-]{96}$/));

/** Body of `POST /app/api/pairings`: the new device begins. */
export const pairingAskedSchema = z.strictObject({ commitment: keySchema });
/** Body of `POST /app/api/pairings/:id/answer`: the device with the key says its public key. */
export const pairingAnswerSchema = z.strictObject({ oldKey: keySchema });
/** Body of `POST /app/api/pairings/:id/reveal`: the new device shows what it had committed itself to. */
export const pairingRevealSchema = z.strictObject({ newKey: keySchema, nonce: nonceSchema });
/** Body of `POST /app/api/pairings/:id/hand-over`: the sealed account key. */
export const pairingHandOverSchema = z.strictObject({ handed: handedSchema });

/** A pairing as both devices see it. What wasn't said yet is null. */
export const pairingSchema = z.object({
  id: idSchema,
  /** What the new device calls itself. */
  device: z.string(),
  startedAt: z.int(),
  commitment: keySchema,
  oldKey: z.nullable(keySchema),
  newKey: z.nullable(keySchema),
  nonce: z.nullable(nonceSchema),
  handed: z.nullable(handedSchema),
  /** One of the two has ended it; where `handed` is there, after the key was given. */
  isRefused: z.boolean(),
  /** The new device has taken the key: `POST /app/api/pairings/:id/taken`. */
  isTaken: z.boolean(),
});
/** A pairing as both devices see it. */
export type Pairing = z.infer<typeof pairingSchema>;

/** Answer of the calls about one pairing. */
export const pairingAnswerBodySchema = z.object({ pairing: pairingSchema });
/** Answer of `GET /app/api/pairings`: those of other devices that nobody has answered. */
export const pairingsBodySchema = z.object({ pairings: z.array(pairingSchema) });
