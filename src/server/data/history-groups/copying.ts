// Older history on its way from the home database into a group: copied first, and removed beside the rows only a week later, so that a
// group that is put back to an earlier state meanwhile gets what it lacks once more. Each step is a transaction at home that
// holds the scope's place, with one in the group inside: a process that is killed anywhere leaves something to be done again, and
// doing it again changes nothing.
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import type { Log } from '../log.ts';
import type { PostgresConnection, Session, Statement } from '../postgres/postgres-connection.ts';
import { addEntries, beginHolding, entriesAfter, heldUpTo, removeEntries, setHeld } from './group-history.ts';
import type { HistoryGroups } from './groups.ts';
import { lockPlace, type Place, savePlace } from './place.ts';

/** How long history stays beside the rows before it is copied. */
export const RECENT_MS = 30 * DAY_MS;
/** How long it stays there after that. */
export const KEPT_TWICE_MS = 7 * DAY_MS;
/** Entries in one transaction. */
const STEP = 500;

const SQL = {
  isErasing: {
    name: 'erasing',
    text: 'SELECT 1 FROM history_erasure WHERE scope = $1 AND done_at IS NULL LIMIT 1',
  },
} as const satisfies Record<string, Statement>;

/** What the parts of this folder work with. */
export interface GroupPorts {
  readonly home: PostgresConnection;
  readonly groups: HistoryGroups;
  readonly log: Log;
  /** Groups that were away a moment ago: what lies in them waits, and nobody waits for each of its scopes. */
  readonly away: Set<string>;
  /** Between two steps. Rejects when the work is to end. */
  readonly rest: () => Promise<void>;
}

/** What a step did: entries, and whether there is more to do at once. */
export interface Step {
  readonly count: number;
  readonly more: boolean;
}

const nothing: Step = { count: 0, more: false };

/** The place of a scope, locked; null: it has none, or something of it has to be erased first: it would be copied once more. */
export async function lockedToCopy(home: Session, scope: Id): Promise<Place | null> {
  const place = await lockPlace(home, scope);
  return place !== null && (await home.get(SQL.isErasing, scope)) === undefined ? place : null;
}

/** As `lockedToCopy`; null also while it moves from one group to another. */
async function lockedAtRest(home: Session, scope: Id): Promise<Place | null> {
  const place = await lockedToCopy(home, scope);
  return place?.target === null && place.leaving === null ? place : null;
}

/**
 * Makes the group hold exactly what the home database knows to be there, and resolves with the version up to which that is. A group
 * that was put back holds less, a home database that was put back knows of less.
 */
async function settle(group: Session, { scope, place, copied, freed }: Place, log: Log): Promise<number> {
  const held = await heldUpTo(group, scope);
  if (held === null) await beginHolding(group, scope);
  if (held !== null && held > copied) await removeEntries(group, scope, { after: copied, to: held });
  if ((held ?? 0) < freed)
    log('error', 'A group of the history lacks what it held.', { group: place, scope });
  const upTo = Math.max(Math.min(held ?? 0, copied), freed);
  await setHeld(group, scope, upTo);
  return upTo;
}

/** Copies the next entries that are old enough. */
async function copyStep({ home, groups, log }: GroupPorts, scope: Id, now: number): Promise<Step> {
  return await home.write(async (session) => {
    const place = await lockedAtRest(session, scope);
    if (place === null) return nothing;
    const group = await groups.open(place.place);
    return await group.write(async (there) => {
      const after = await settle(there, place, log);
      const found = await entriesAfter(session, scope, { after, limit: STEP });
      // Up to the first that is recent: what comes after it waits with it, so that nothing is left out between.
      const recent = found.find(([, , , , , , at]) => at > now - RECENT_MS)?.[1] ?? Number.MAX_SAFE_INTEGER;
      const entries = found.filter(([, version]) => version < recent);
      await addEntries(there, scope, entries);
      const copied = entries.at(-1)?.[1] ?? after;
      await setHeld(there, scope, copied);
      // If this fails after the group has committed, the group holds more than is known here; the next step removes that.
      await savePlace(session, { ...place, copied, copiedAt: now });
      return { count: entries.length, more: entries.length > 0 && entries.length === found.length };
    });
  });
}

/** Removes beside the rows what the group has held for long enough. */
async function freeStep({ home, groups }: GroupPorts, scope: Id): Promise<Step> {
  return await home.write(async (session) => {
    const place = await lockedAtRest(session, scope);
    if (place === null || place.freed >= place.copied) return nothing;
    const held = await heldUpTo(await groups.open(place.place), scope);
    // The group was put back: copying goes on from what it holds.
    if (held === null || held < place.copied) return nothing;
    const found = await entriesAfter(session, scope, { after: place.freed, to: place.copied, limit: STEP });
    const to = found.at(-1)?.[1];
    if (to !== undefined) await removeEntries(session, scope, { after: place.freed, to });
    const more = to !== undefined && to < place.copied;
    await savePlace(session, { ...place, freed: more ? to : place.copied });
    return { count: found.length, more };
  });
}

/** Step by step, to the end; resolves with the sum. */
export async function inSteps(rest: GroupPorts['rest'], step: () => Promise<Step>): Promise<number> {
  let count = 0;
  for (;;) {
    await rest();
    const done = await step();
    count += done.count;
    if (!done.more) return count;
  }
}

/** Of a scope that is due: removes what was copied a while ago, then copies what has become old. */
export async function carryOlder(
  ports: GroupPorts,
  scope: Id,
  now: number,
): Promise<{ readonly freed: number; readonly copied: number }> {
  const freed = await inSteps(ports.rest, () => freeStep(ports, scope));
  const copied = await inSteps(ports.rest, () => copyStep(ports, scope, now));
  return { freed, copied };
}
