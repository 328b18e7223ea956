// When installing the app is offered unasked, and in which words.
import type { Notice } from './device.ts';
import type { InstallWay } from './install-port.ts';

const OFFERED_AFTER_MS = 2 * 86_400_000;

export interface InstallHistory {
  readonly way: InstallWay;
  readonly now: number;
  /** When the app was first opened on this device; null: never before. */
  readonly firstAt: number | null;
  readonly wasOffered: boolean;
}

/** Once, to somebody who has come back, where it takes one press or gains what a tab does not have. */
export function isTimeToOffer({ way, now, firstAt, wasOffered }: InstallHistory): boolean {
  const gains = way === 'ask' || way === 'share';
  return gains && !wasOffered && firstAt !== null && now - firstAt >= OFFERED_AFTER_MS;
}

/** What it gains differs: keys that a tab does not get, or storage and notices that only an installed app has. */
export const installOffers: Readonly<Record<'ask' | 'share', Omit<Notice, 'id'>>> = {
  ask: {
    tone: 'calm',
    offers: 'install',
    text: 'Posthaste can have a window of its own, where every key is yours: also those that a browser tab keeps to itself.',
  },
  share: {
    tone: 'calm',
    offers: 'install',
    text: 'On your Home Screen Posthaste keeps its tasks for good, can remind you, and shows what is due on its icon.',
  },
};
