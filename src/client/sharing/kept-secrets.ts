// Secrets of links to encrypted lists, from the page of an invitation to the app on the same device: no address that leads to the app carries one, as
// servers hear addresses. Kept as one text that both can read, for a day.
import { isRecord, readJson } from '#core/json.ts';

/** Where a browser keeps them. */
export const SECRETS_KEPT = 'posthaste.invitationSecrets';

const DAY_MS = 24 * 3_600_000;
const MOST = 10;
const SECRET = /^[\w-]{43}$/;

interface KeptSecret {
  readonly token: string;
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

function isKept(value: unknown): value is KeptSecret {
  if (!isRecord(value)) return false;
  const { token, secret, at } = value;
  return typeof token === 'string' && typeof secret === 'string' && typeof at === 'number';
}

function keptIn(text: string | null, now: number): readonly KeptSecret[] {
  const read = text === null ? null : readJson(text);
  if (!Array.isArray(read)) return [];
  const kept: readonly unknown[] = read;
  return kept.filter(isKept).filter(({ at }) => at <= now && now - at < DAY_MS);
}

/** The text with the secret of a link besides; `text` null: there was none. What is no secret changes nothing but what is too old. */
export function withSecret(
  text: string | null,
  { token, secret }: { readonly token: string; readonly secret: string },
  now: number,
): string {
  const others = keptIn(text, now).filter((each) => each.token !== token);
  const all = SECRET.test(secret) ? [...others, { token, secret, at: now }] : others;
  return JSON.stringify(all.slice(-MOST));
}

/** The secret of a link; null: there is none, or it is too old. */
export function secretIn(text: string | null, token: string, now: number): string | null {
  const kept = keptIn(text, now).find((each) => each.token === token);
  return kept !== undefined && SECRET.test(kept.secret) ? kept.secret : null;
}

/** The text without the secret of a link that has been used; null: nothing is left. */
export function withoutSecret(text: string | null, token: string, now: number): string | null {
  const left = keptIn(text, now).filter((each) => each.token !== token);
  return left.length === 0 ? null : JSON.stringify(left);
}
