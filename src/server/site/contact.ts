// Messages from the contact page: kept, then mailed to the operator, who answers by answering.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import type { Tables } from '../data/tables.ts';
import type { Post } from '../mail/post.ts';

export interface ContactMessage {
  readonly email: string;
  readonly subject: string;
  readonly message: string;
}

export interface ContactPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly post: Pick<Post, 'send'>;
  readonly newId: () => Id;
  /** Who reads them. */
  readonly to: string;
}

/** Resolves when the message is kept and its letter is on disk. */
export async function takeMessage(
  { db, clock, post, newId, to }: ContactPorts,
  { email, subject, message }: ContactMessage,
): Promise<void> {
  await db
    .insertInto('contact_message')
    .values({ id: newId(), email, subject, message, created_at: Math.round(clock.now()) })
    .execute();
  // A subject is one line: what was typed must not become another header.
  const title = subject.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  await post.send({
    to,
    replyTo: email,
    subject: `Contact: ${title}`,
    text: `From: ${email}\n\n${message}\n`,
  });
}
