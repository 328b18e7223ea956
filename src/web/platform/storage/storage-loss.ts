// Words for what a browser took away with a profile's database. Loaded when that has happened.
import { counted } from '#core/counted.ts';
import type { SentinelRecord } from './eviction-check.ts';

/** What a vanished database took with it, as the person is told. Null: nothing worth telling. */
export function lossText({ waiting, onlyHere }: SentinelRecord, hasAccount: boolean): string | null {
  const cleared = 'This browser cleared Posthaste’s copy on this device.';
  if (!hasAccount) {
    // The Inbox itself is made anew.
    const lost = onlyHere - 1;
    if (lost <= 0) return null;
    const items = lost === 1 ? '1 task or list was' : `${lost} tasks and lists were`;
    return `${cleared} ${items} only here. If you have an exported file, import it.`;
  }
  const rest = 'Everything else is coming back from the server.';
  if (waiting === 0) return `${cleared} Everything was synced and is coming back from the server.`;
  return `${cleared} ${counted(waiting, 'change')} hadn’t synced. ${rest}`;
}
