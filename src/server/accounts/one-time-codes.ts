// One-time codes for authenticator apps (RFC 6238: TOTP with SHA-1, 30 s, six digits, which every app supports).
// Pure: keys and times are passed in. Not here: storing keys and used codes.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Phone clocks are rarely wrong by more than one step. */
const TOLERATED_STEPS = [0, -1, 1] as const;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const createSecret = (): Uint8Array => randomBytes(SECRET_BYTES);

/** RFC 4648, without padding: the form in which authenticator apps take a key. */
export function toBase32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** The otpauth: URI that an authenticator app reads from a QR code. */
export function keyUri(secret: Uint8Array, email: string): string {
  const query = new URLSearchParams({ secret: toBase32(secret), issuer: 'Posthaste' });
  return `otpauth://totp/${encodeURIComponent(`Posthaste:${email}`)}?${query}`;
}

export const stepAt = (ms: number) => Math.floor(ms / STEP_MS);

/** The code of a time step (RFC 4226, section 5.3). */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step of this code, within one step of now and later than `after`; null: no match. */
export function stepOf(code: string, key: { secret: Uint8Array; after: number }, now: number): number | null {
  const typed = code.replaceAll(/[\s-]/g, '');
  if (!/^\d{6}$/.test(typed)) return null;
  const given = Buffer.from(typed);
  let found: number | null = null;
  for (const away of TOLERATED_STEPS) {
    const step = stepAt(now) + away;
    // Each code works once, so one read over a shoulder is worthless.
    if (timingSafeEqual(Buffer.from(codeOf(key.secret, step)), given) && step > key.after) found ??= step;
  }
  return found;
}
