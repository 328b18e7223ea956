// When the app offers its installation by itself, and in which words.
import { DAY_MS } from '#core/time.ts';
import type { Notice } from '../app/device.ts';
import type { InstallWay } from './install-port.ts';

const OFFERED_AFTER_MS = 2 * DAY_MS;

export interface InstallHistory {
  readonly way: InstallWay;
  readonly now: number;
  /** When the app was first opened on this device; null: just now. */
  readonly firstAt: number | null;
  readonly wasOffered: boolean;
}

/** Once, to a returning person, if installing takes one press or gains something a tab does not have. */
export function isTimeToOffer({ way, now, firstAt, wasOffered }: InstallHistory): boolean {
  const gains = way === 'ask' || way === 'share';
  return gains && !wasOffered && firstAt !== null && now - firstAt >= OFFERED_AFTER_MS;
}

/** The benefits differ: keys that a tab does not get, or storage and notifications that only an installed app has. */
export const installOffers: Readonly<Record<'ask' | 'share', Omit<Notice, 'id'>>> = {
  ask: {
    tone: 'calm',
    offers: 'install',
    text: 'Install Posthaste to get its own window. There, every key is yours, even those a browser tab keeps.',
  },
  share: {
    tone: 'calm',
    offers: 'install',
    text: 'On your Home Screen, Posthaste keeps its tasks, reminds you, and shows what’s due on its icon.',
  },
};
