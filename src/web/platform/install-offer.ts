// Offers by itself to install the app, once, when it was first opened days ago. Loaded when the first screen is idle; when
// it is time is client/install/install.ts.
import { installOffers, isTimeToOffer } from '#client/install/install.ts';
import type { DeviceState } from './account/device-port.ts';
import { install, onInstallQuestion } from './install.ts';
import type { SmallStorage } from './storage/local-storage.ts';

const FIRST_KEY = 'posthaste.first-opened';
const OFFERED_KEY = 'posthaste.install-offered';

/** Notes when the app was first opened here, and offers once to install it when that was days ago. */
export function offerInstall(storage: SmallStorage, device: DeviceState): void {
  const offer = () => {
    const way = install.way();
    const first = storage.getItem(FIRST_KEY);
    const now = Date.now();
    if (first === null) storage.setItem(FIRST_KEY, String(now));
    if (way === 'installed') {
      for (const { id, offers } of device.notices.get()) if (offers === 'install') device.dismiss(id);
      return;
    }
    const firstAt = first === null ? null : Number(first);
    if (way !== 'ask' && way !== 'share') return;
    if (!isTimeToOffer({ way, now, firstAt, wasOffered: storage.getItem(OFFERED_KEY) !== null })) return;
    storage.setItem(OFFERED_KEY, '1');
    device.tell(installOffers[way]);
  };
  onInstallQuestion(offer);
  offer();
}
