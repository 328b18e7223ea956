// Encryption for its dialog, and for pages of the history: what a person does about it and sees of it on this device. Loaded with the
// first of them.
import type { Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { ownerOfList } from '#core/sealing/keys.ts';
import { DeviceKeys } from '#sync/sealing/device-keys.ts';
import { ListKeys } from '#sync/sealing/lists/list-keys.ts';
import { openingIn } from '#sync/sealing/opening-rows.ts';
import { openedHistory } from '#sync/sealing/sealed-history.ts';
import { SealingDesk } from '#sync/sealing/sealing-desk.ts';
import type { HistoryPage } from '#wire/history.ts';
import { createPairingServer, createSealingPlatform } from './sealing-port.ts';

/** The desk of an account. Without one there is nothing to encrypt. */
export function createSealingDesk(
  binding: { readonly account: number; readonly scope: Id } | null,
): SealingDesk {
  const { account, scope } = must(binding, 'the dialog needs an account');
  return new SealingDesk(createSealingPlatform(account), { account, scope }, createPairingServer());
}

/** Entries of the history of the account's own scope with their content, as far as this device has the key. */
export async function openHistory(
  owner: { readonly account: number; readonly scope: Id },
  entries: HistoryPage['entries'],
): Promise<HistoryPage['entries']> {
  const platform = createSealingPlatform(owner.account);
  const keys = new DeviceKeys(platform, owner);
  await keys.load();
  const opening = openingIn(keys.state, { ring: keys.ring, owner, checks: platform.checks });
  return [...openedHistory({ ...opening, acceptsPlain: true }, entries)];
}

/** As `openHistory`, of the scope of a list that stays encrypted. */
export async function openListHistory(
  own: { readonly account: number; readonly scope: Id },
  scope: Id,
  entries: HistoryPage['entries'],
): Promise<HistoryPage['entries']> {
  const platform = createSealingPlatform(own.account);
  const keys = new ListKeys(platform, scope, { account: own.account, keys: new DeviceKeys(platform, own) });
  await keys.load();
  const owner = ownerOfList(scope);
  const opening = openingIn(keys.state, { ring: keys.ring, owner, checks: platform.checks });
  return [...openedHistory({ ...opening, acceptsPlain: true }, entries)];
}
