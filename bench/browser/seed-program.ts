// Runs in a page of the app's origin that is not the app: writes a profile and its rows with the app's own storage code,
// so that what the app then opens is exactly what it would have stored itself. Part of no shipped build.
import type { Id } from '#core/ids.ts';
import { BrowserStorage } from '#web/platform/storage/indexeddb.ts';
import { createProfileStore, databaseName } from '#web/platform/account/profile.ts';
import { newId, whenIdle } from '#web/platform/world.ts';
import type { Dataset } from '../datasets.ts';
import { rowsOf } from '../rows.ts';

declare global {
  var benchSeed: (dataset: Dataset, isEncrypted: boolean) => Promise<void>;
}

const BATCH_ROWS = 5_000;

globalThis.benchSeed = async (dataset, isEncrypted) => {
  const profile = createProfileStore(localStorage, newId).load();
  const scope: Id = profile.localScope;
  const storage = new BrowserStorage({ name: databaseName(profile.id), idle: whenIdle });
  await storage.open();
  const rows = rowsOf(dataset, { scope, now: Date.now(), newId });
  const meta = {
    device: newId(),
    deviceNumber: 0,
    scope,
    account: 0,
    seq: rows.length,
    acked: 0,
    cursors: {},
    clockOffsetMs: 0,
    // The disk of an encrypted account.
    ...(isEncrypted && { sealed: true as const, apart: true as const }),
  };
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    await storage.write({ meta, rowsPut: rows.slice(at, at + BATCH_ROWS) });
  }
  await storage.compacted();
  storage.close();
};
