// Everything that the public site's calls and forms do, joined: one set for the server, made from its parts.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { SecurityEvents } from '../accounts/security-events.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { Config } from '../config.ts';
import type { Tables } from '../data/tables.ts';
import type { Limiter } from '../limits/rates.ts';
import type { Post } from '../mail/post.ts';
import type { Logger } from '../observe/log.ts';
import { type Background, createBackground } from './background.ts';
import { type ContactMessage, takeMessage } from './contact.ts';
import { createListInvitations, type ListInvitations } from './list-invitations.ts';
import { createPasswordResets, type PasswordResets } from './password-reset.ts';
import { createPromoCodes, type PromoCodes } from './promo-codes.ts';
import { createReleases, newsHtml, type Release, releasesHtml, type Releases } from './releases.ts';
import { createSignUps, type SignUps } from './sign-ups.ts';
import { createVisits, type Visits } from './visits.ts';

/** A sign-up that was not confirmed for so long was somebody's mistake. */
const UNCONFIRMED_MS = 30 * 86_400_000;
/** How long a list of releases is used before the database is asked again. */
const RELEASES_MS = 5_000;

export type FillName = 'releases' | 'news';

export interface SiteDesk {
  readonly promoCodes: PromoCodes;
  readonly signUps: SignUps;
  readonly resets: PasswordResets;
  readonly invitations: ListInvitations;
  readonly releases: Releases;
  readonly visits: Visits;
  readonly background: Background;
  /** For `<span data-fill>` in pages. */
  readonly fills: Readonly<Record<FillName, () => Promise<string>>>;
  takeMessage(message: ContactMessage): Promise<void>;
  /** Forgets sign-ups that nobody confirmed, and links that are over. */
  prune(): Promise<void>;
}

export interface SiteDeskPorts {
  readonly config: Config;
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly post: Post;
  readonly limiter: Limiter;
  readonly log: Logger;
  readonly newId: () => Id;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly events: SecurityEvents;
}

/** Links in mail never come from what a request claims its host to be. */
const originOf = ({ publicUrl, port }: Config) => publicUrl ?? `http://localhost:${port}`;

export function createSiteDesk(ports: SiteDeskPorts): SiteDesk {
  const { config, db, clock, newId, log } = ports;
  const origin = originOf(config);
  const releases = createReleases(db, clock, newId);
  let known: { readonly at: number; readonly list: Promise<readonly Release[]> } | null = null;
  const list = () => {
    const now = clock.monotonic();
    if (!known || now - known.at >= RELEASES_MS) known = { at: now, list: releases.all() };
    return known.list;
  };
  return {
    promoCodes: createPromoCodes(db, clock),
    signUps: createSignUps({ ...ports, origin }),
    resets: createPasswordResets({ ...ports, origin }),
    invitations: createListInvitations(db, clock),
    releases,
    visits: createVisits(db, clock),
    background: createBackground(log),
    fills: {
      releases: async () => releasesHtml(await list()),
      news: async () => {
        try {
          return newsHtml(await list());
        } catch (error) {
          // The front page does without: it is there also when the database is not.
          log.error('news_failed', { error: error instanceof Error ? error.name : 'unknown' });
          return '';
        }
      },
    },
    async prune() {
      const now = Math.round(clock.now());
      await db
        .deleteFrom('sign_up')
        .where('confirmed_at', 'is', null)
        .where('created_at', '<', now - UNCONFIRMED_MS)
        .execute();
      await db.deleteFrom('password_reset').where('expires_at', '<', now).execute();
    },
    takeMessage: (message) => takeMessage({ ...ports, to: config.contactEmail ?? config.mailFrom }, message),
  };
}
