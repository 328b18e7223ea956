// Shared lists of this server, put together: profiles, links, what people do, and the job that makes everything follow.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { removeMember } from '../data/members.ts';
import type { Tables } from '../data/tables.ts';
import type { Ledger } from '../care/ledger.ts';
import type { Mover } from '../moving/mover.ts';
import type { LinkStore } from '../public-links/links.ts';
import { createInviteLinks, type InviteLinkPorts, type InviteLinks } from './invite-links.ts';
import { createLedgerNotes, type LedgerNotes } from './ledger-notes.ts';
import { createProfiles, type Profiles } from './profiles.ts';
import { createSettling, type SettlingPorts } from './settling.ts';
import { createSharedLists, type SharedLists } from './shared-lists.ts';

/** How long the owner of a list that is private again stays in its scope. */
const CLOSED_MS = 30 * DAY_MS;

/** What sharing needs. */
export type SharingPorts = InviteLinkPorts &
  Omit<SettlingPorts, 'profiles' | 'ledger'> & {
    readonly ledger: Pick<Ledger, 'record' | 'read'>;
    readonly mover: Pick<Mover, 'run'>;
    readonly publicLinks: Pick<LinkStore, 'all' | 'end'>;
    readonly newId: () => Id;
    readonly onError: (error: unknown) => void;
  };

/** Everything about shared lists. */
export interface Sharing {
  readonly lists: SharedLists;
  readonly profiles: Profiles;
  readonly links: InviteLinks;
  /** Brings the rows of the lists of an account up to date, after its profile changed. */
  settle(account: number): Promise<void>;
  /** Lists of a person's own scope go on their way, or stay, as it is wanted now. */
  settleOwn(personal: Id): Promise<void>;
  /** Goes on with what was interrupted, here or in a process before. What fails is tried again by the next call. */
  run(): Promise<void>;
  /**
   * Closes scopes whose list is gone for good, and lets go of those that have been over for a month: until then devices may
   * hold what moved back as if it were there.
   */
  prune(): Promise<void>;
}

/** Closes the scopes of lists that were removed for good, with all their tasks. */
async function closePurged(db: Kysely<Tables>, ledger: LedgerNotes, at: number): Promise<void> {
  const purged = await db
    .selectFrom('shared_list')
    .innerJoin('tombstone', (join) =>
      join
        .onRef('tombstone.scope', '=', 'shared_list.scope')
        .onRef('tombstone.id', '=', 'shared_list.list')
        .on('tombstone.moved_to', 'is', null),
    )
    .select('shared_list.scope')
    .where('shared_list.closed_at', 'is', null)
    .execute();
  for (const { scope } of purged) {
    await ledger.record([{ type: 'scope_closed', at, scope }]);
    await db
      .updateTable('shared_list')
      .set({ state: 'closed', closed_at: at })
      .where('scope', '=', scope)
      .execute();
  }
}

/** Sharing on these ports. Nothing goes on by itself before `run`. */
export function createSharing(given: SharingPorts): Sharing {
  const { db, mover, onError, clock } = given;
  const ledger = createLedgerNotes(db, given.ledger, () => clock.now());
  const ports = { ...given, ledger };
  const profiles = createProfiles(db);
  const links = createInviteLinks(ports);
  const settling = createSettling({ ...ports, profiles });
  const lists = createSharedLists({ ...ports, profiles, links, settling, moved: () => mover.run() });
  let running: Promise<void> | null = null;
  return {
    lists,
    profiles,
    links,
    async settle(account) {
      const own = await db.selectFrom('member').select('scope').where('account', '=', account).execute();
      for (const { scope } of own) await settling.settle(scope).catch(onError);
    },
    settleOwn: (personal) => settling.ofOwner(personal).catch(onError),
    async prune() {
      const at = Math.round(clock.now());
      await closePurged(db, ledger, at);
      const over = await db
        .selectFrom('shared_list')
        .innerJoin('member', 'member.scope', 'shared_list.scope')
        .select(['member.scope', 'member.account'])
        .where('shared_list.closed_at', '<', at - CLOSED_MS)
        .execute();
      for (const { scope, account } of over) {
        await ledger.record([{ type: 'membership_left', at, scope, account }]);
        await removeMember(db, { scope, account, at });
      }
    },
    run() {
      running ??= settling
        .all(onError)
        .catch(onError)
        .finally(() => {
          running = null;
        });
      return running;
    },
  };
}
