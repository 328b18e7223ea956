// Assembles everything behind the public site's calls and forms, once per server.
import { DAY_MS } from '#core/time.ts';
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { ReleaseManifest } from '#wire/releases/release.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Endings } from '../accounts/endings.ts';
import type { EmailUndos } from '../accounts/email-undo.ts';
import type { Notices } from '../accounts/notices.ts';
import type { Passkeys } from '../accounts/passkeys.ts';
import type { SecondFactor } from '../accounts/second-factor.ts';
import type { SecurityEvents } from '../accounts/security-events.ts';
import type { Config } from '../config.ts';
import { refusal } from '../http/answer.ts';
import type { Tables } from '../data/tables.ts';
import type { Sharing } from '../sharing/sharing.ts';
import type { Letters } from '../mail/letters.ts';
import type { Logger } from '../observe/log.ts';
import { type Background, createBackground } from './background.ts';
import { type ContactMessage, takeMessage } from './contact.ts';
import { createListInvitations, type ListInvitations } from './list-invitations.ts';
import {
  createDesktopReleases,
  type DesktopReleases,
  downloadsHtml,
  openReleaseFiles,
} from './desktop-releases.ts';
import { createPasswordResets, type PasswordResets } from './password-reset.ts';
import { createPromoCodes, type PromoCodes } from './promo-codes.ts';
import { availableAt, createReleases, newsHtml, releasesHtml, type Releases } from './releases.ts';
import { createSignUps, type SignUps } from './sign-ups.ts';
import { createVisits, type Visits } from './visits.ts';

/** A sign-up not confirmed for so long was a mistake. */
const UNCONFIRMED_MS = 30 * DAY_MS;
/** How long a list of releases is cached. */
const RELEASES_MS = 5_000;

export type FillName = 'releases' | 'news' | 'downloads';

const FULL_RETRY_MS = 60_000;

/** The answer to a request for a letter on a full disk, the same for every address. */
export const noRoomForLetters = (): Response =>
  refusal('storage_full', "The server's disk is full, so we can't send email right now. Try again later.", {
    retryAfterMs: FULL_RETRY_MS,
  });

/** The services of the public site, shared by its calls, forms and pages. */
export interface SiteDesk {
  readonly promoCodes: PromoCodes;
  readonly signUps: SignUps;
  readonly resets: PasswordResets;
  readonly invitations: ListInvitations;
  readonly releases: Releases;
  readonly desktop: DesktopReleases;
  /** The newest release of the desktop client, as of some seconds ago; null: none, or the database is down. */
  readonly newestDesktop: () => Promise<ReleaseManifest | null>;
  readonly visits: Visits;
  readonly background: Background;
  /** False: the disk is full, and a letter that is asked for might never be written. */
  hasRoom(): boolean;
  /** Markup for `<span data-fill>` in pages. */
  readonly fills: Readonly<Record<FillName, () => Promise<string>>>;
  takeMessage(message: ContactMessage): Promise<void>;
  /** Deletes unconfirmed sign-ups and expired links. */
  prune(): Promise<void>;
}

export interface SiteDeskPorts {
  readonly config: Config;
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly letters: Letters;
  readonly log: Logger;
  readonly newId: () => Id;
  readonly accounts: Accounts;
  readonly endings: Endings;
  readonly undos: EmailUndos;
  readonly notices: Notices;
  readonly passkeys: Passkeys;
  readonly secondFactor: SecondFactor;
  readonly events: SecurityEvents;
  /** The public origin of the site. */
  readonly origin: string;
  readonly hasRoom: () => boolean;
  readonly sharing: Pick<Sharing, 'links' | 'profiles'>;
}

/** What `read` resolved with, read anew after so many milliseconds. */
function cachedFor<T>(ms: number, clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let known: { readonly at: number; readonly found: Promise<T> } | null = null;
  return () => {
    const now = clock.monotonic();
    if (!known || now - known.at >= ms) known = { at: now, found: read() };
    return known.found;
  };
}

/** The services of the site on the database; releases are cached for some seconds. */
export function createSiteDesk(ports: SiteDeskPorts): SiteDesk {
  const { config, db, clock, newId, log } = ports;
  const releases = createReleases(db, clock, newId);
  const desktop = createDesktopReleases(db, clock, openReleaseFiles(config));
  const all = cachedFor(RELEASES_MS, clock, () => releases.all());
  const list = async () => availableAt(await all(), clock.now());
  const shown = cachedFor(RELEASES_MS, clock, () => desktop.shown());
  /** Pages work without what is filled in, even when the database is down. */
  const ifAnswered = async <T, Otherwise>(work: Promise<T>, otherwise: Otherwise) => {
    try {
      return await work;
    } catch (error) {
      log.error('news_failed', { error: error instanceof Error ? error.name : 'unknown' });
      return otherwise;
    }
  };
  const newestDesktop = async () => (await ifAnswered(shown(), null))?.manifest ?? null;
  return {
    promoCodes: createPromoCodes(db, clock),
    signUps: createSignUps(ports),
    resets: createPasswordResets(ports),
    invitations: createListInvitations(db, ports.sharing),
    releases,
    desktop,
    newestDesktop,
    visits: createVisits(db, clock),
    background: createBackground(log),
    hasRoom: ports.hasRoom,
    fills: {
      releases: async () => releasesHtml(await list()),
      news: async () => newsHtml(await ifAnswered(list(), [])),
      downloads: async () => {
        const newest = await newestDesktop();
        return newest === null ? '' : downloadsHtml(newest);
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
      await db.deleteFrom('email_undo').where('expires_at', '<', now).execute();
    },
    takeMessage: (message) => takeMessage({ ...ports, to: config.contactEmail ?? config.mailFrom }, message),
  };
}
