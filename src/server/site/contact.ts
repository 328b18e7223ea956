// Messages from the contact page: stored, then mailed to the operator, who replies to the sender.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Tables } from '../data/tables.ts';
import type { Letters } from '../mail/letters.ts';

export interface ContactMessage {
  readonly email: string;
  readonly subject: string;
  readonly message: string;
}

export interface ContactPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly letters: Letters;
  readonly newId: () => Id;
  /** The operator's address. */
  readonly to: string;
}

/**
 * Resolves when the message is stored. Its letter is on disk by then, unless there were too many: those are only stored.
 */
export async function takeMessage(
  { db, clock, letters, newId, to }: ContactPorts,
  { email, subject, message }: ContactMessage,
): Promise<void> {
  await db
    .insertInto('contact_message')
    .values({ id: newId(), email, subject, message, created_at: Math.round(clock.now()) })
    .execute();
  // A subject is one line: typed text must not become another header.
  const title = subject.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  await letters.send({
    kind: 'contact',
    rate: 'contact_address',
    isProved: true,
    to,
    replyTo: email,
    subject: `Contact: ${title}`,
    text: `From: ${email}\n\n${message}\n`,
  });
}
