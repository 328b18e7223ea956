// The only way to send mail: every address has a limit, independent of cause and endpoint. Not here: the texts of letters,
// and their transport (post.ts).
import { createHash } from 'node:crypto';
import type { Limiter, RateName } from '../limits/rates.ts';
import type { Refused } from '../limits/window.ts';
import type { Letter, Post } from './post.ts';

export interface LetterOrder extends Letter {
  /** Letters of one kind to one address share a limit: one kind cannot use up what another needs. */
  readonly kind: string;
  /**
   * Whether somebody has verified this address. All letters to an unverified address share one limit: a stranger hears from
   * us only a few times, however often the address is tried.
   */
  readonly isProved: boolean;
  /** A separate limit instead of the common one; an unverified address has both. */
  readonly rate?: RateName;
  /** The account that asks for a letter to an address of its choice: it has a limit, whomever it writes to. */
  readonly by?: number;
}

/** Sends letters within the limits of their addresses. */
export interface Letters {
  /** Null: the letter is safely stored; else the limit that its address has reached, and nothing is sent. */
  send(order: LetterOrder): Promise<Refused | null>;
}

export interface LetterPorts {
  readonly post: Pick<Post, 'send'>;
  readonly limiter: Pick<Limiter, 'take'>;
}

/** Limits store addresses only in this form. */
const keyOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Gmail, whose other domain reaches the same mailboxes. */
const GMAIL = 'gmail.com';
const GMAIL_TOO = 'googlemail.com';

/** Spellings of an address that reach one mailbox count as one: what follows a plus, dots and the two domains of Gmail. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).toLowerCase().split('+', 1);
  const said = address.slice(at + 1).toLowerCase();
  const domain = said === GMAIL_TOO ? GMAIL : said;
  return `${domain === GMAIL ? name.replaceAll('.', '') : name}@${domain}`;
}

/** Letters into the outbox of `post`, counted by `limiter`. */
export function createLetters({ post, limiter }: LetterPorts): Letters {
  return {
    async send({ kind, isProved, rate, by, ...letter }) {
      const to = mailboxOf(letter.to);
      const own = await limiter.take(rate ?? 'letter_address', keyOf(`${kind} ${to}`));
      if (!own.allowed) return own;
      const shared = isProved ? own : await limiter.take('letter_address', keyOf(to));
      if (!shared.allowed) return shared;
      const asked = by === undefined ? own : await limiter.take('letter_account', String(by));
      if (!asked.allowed) return asked;
      await post.send(letter);
      return null;
    },
  };
}
