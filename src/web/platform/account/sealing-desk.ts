// Encryption for its dialog: what a person does about it on this device. Loaded when the dialog is opened.
import type { Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { SealingDesk } from '#sync/sealing/sealing-desk.ts';
import { createPairingServer, createSealingPlatform } from './sealing-port.ts';

/** The desk of an account. Without one there is nothing to encrypt. */
export function createSealingDesk(
  binding: { readonly account: number; readonly scope: Id } | null,
): SealingDesk {
  const { account, scope } = must(binding, 'the dialog needs an account');
  return new SealingDesk(createSealingPlatform(account), { account, scope }, createPairingServer());
}
