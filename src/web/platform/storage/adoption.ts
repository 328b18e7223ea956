// Takes what a profile without an account holds into the account's profile, then lets the old database go. Safe to
// repeat: until the old one is gone every start does it again.
import { registerChecks } from '#wire/registers.ts';
import { deleteDB } from 'idb';
import { adoptActions } from '#sync/replica/adopt.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Engine, Replica } from '#sync/replica/replica-types.ts';
import { moveUnsent } from './file-store.ts';
import { forgetDetachedMark } from './detached-mark.ts';
import { BrowserStorage } from './indexeddb.ts';
import { forgetKey } from '../disk-seal/disk-keys.ts';
import { forgetTexts } from '../disk-seal/open-disks.ts';
import { forgetKeys } from './key-store.ts';
import { smallStorage } from './local-storage.ts';
import { keptEntryKey } from '#client/entry/kept-entry-key.ts';
import { commentDraftsKey } from '#client/together/drafts-key.ts';
import { forgetPreference } from './preferences.ts';
import { forgetLeft, takeLeft } from './unload-handover.ts';
import { databaseName, type Profile } from '../account/profile.ts';
import { forgetSafetyCopies } from './safety-copies.ts';
import { laneName } from './tab-lock.ts';
import { makeUnsaved } from './unsaved.ts';
import { clock, pause, random, timers, whenIdle } from '../world.ts';

const ACTIONS_AT_ONCE = 500;

const PATIENCE_MS = 5_000;
const LOOK_MS = 50;

/** Resolves when no tab works on the profile any more; one that does not answer is not waited for for long. */
async function everybodyLeft(profile: Id): Promise<void> {
  if (!('locks' in navigator)) return;
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const { held = [] } = await navigator.locks.query();
    if (!held.some(({ name }) => name?.startsWith(laneName(profile)) === true)) return;
    await pause(LOOK_MS);
  }
}

/** The engine must be open and completely loaded. Resolves when everything is durable under the account. */
export async function adopt(engine: Engine, from: NonNullable<Profile['adopts']>): Promise<void> {
  // What other tabs still have to write belongs to it.
  await everybodyLeft(from.id);
  const storage = new BrowserStorage({ name: databaseName(from.id), idle: whenIdle });
  const identity = { scope: from.localScope, account: 0 };
  const old = createEngine(
    { storage, transport: null, clock, timers, random, checks: registerChecks },
    identity,
  );
  await old.open();
  await old.loaded();
  // A page of it that was closed in the middle of a word left that where the disk is not.
  const left = takeLeft(smallStorage, from.id, (unsaved) => makeUnsaved(old, unsaved));
  left.stop();
  await left.taken;
  const actions = adoptActions(old.replica, old.replica.scope, engine.replica.scope, from.isAnew);
  for (let at = 0; at < actions.length; at += ACTIONS_AT_ONCE) {
    engine.replica.issue(actions.slice(at, at + ACTIONS_AT_ONCE));
  }
  await engine.flushed();
  await moveUnsent(from.localScope, engine.replica.scope);
  await (await import('../calendars/file-store.ts')).adoptFiles(engine.replica.account);
  await old.close();
}

/** Without a disk: what the profile in memory holds, as actions for the account. */
export function adoptionOf(held: Replica, scope: Id, isAnew = false): readonly Action[] {
  return adoptActions(held, held.scope, scope, isAnew);
}

/** Removes the copy of a profile from this device. What was typed and not added or sent goes with that of an account. */
export async function forget(
  profile: Pick<Profile, 'id'> & Partial<Pick<Profile, 'binding'>>,
): Promise<void> {
  if (profile.binding) {
    forgetPreference(smallStorage, keptEntryKey(profile.binding.account));
    forgetPreference(smallStorage, commentDraftsKey(profile.binding.account));
    await forgetKeys(profile.binding.account);
  }
  await deleteDB(databaseName(profile.id));
  await forgetKey(databaseName(profile.id));
  forgetTexts(databaseName(profile.id));
  await forgetSafetyCopies(profile.id);
  await (await import('../disk-seal/kept-calendars.ts')).forgetCalendars();
  // Of a profile that is known by its id alone nothing is known; what was adopted has gone along.
  if (profile.binding !== undefined)
    await (await import('../calendars/file-store.ts')).forgetFiles(profile.binding?.account ?? 0);
  forgetDetachedMark(smallStorage, profile.id);
  forgetLeft(smallStorage, profile.id);
}
