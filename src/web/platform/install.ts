// What this browser can do to put the app among the programs of the device (the InstallPort). Its offer to do so comes early
// and once, so it is kept from the start; what is done with it is client/install/install.ts.
import { installOffers, isTimeToOffer } from '#client/install/install.ts';
import type { InstallPort, InstallWay } from '#client/install/install-port.ts';
import type { DeviceState } from './account/device-port.ts';
import type { SmallStorage } from './storage/local-storage.ts';

/** Chromium's offer, as the standard does not have it. */
interface InstallQuestion extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

const FIRST_KEY = 'posthaste.first-opened';
const OFFERED_KEY = 'posthaste.install-offered';
const OWN_WINDOW =
  '(display-mode: standalone), (display-mode: window-controls-overlay), (display-mode: minimal-ui)';

let question: InstallQuestion | null = null;
let onQuestion: () => void = () => undefined;
window.addEventListener('beforeinstallprompt', (event) => {
  // Asked when the person wants it, not when the browser does.
  event.preventDefault();
  question = event as InstallQuestion;
  onQuestion();
});
window.addEventListener('appinstalled', () => {
  question = null;
});

function wayNow(): InstallWay {
  const { standalone, vendor, userAgent, maxTouchPoints } = navigator as Navigator & {
    readonly standalone?: boolean;
  };
  if (matchMedia(OWN_WINDOW).matches || standalone === true) return 'installed';
  if (question) return 'ask';
  if (!vendor.startsWith('Apple')) return 'none';
  // An iPad calls itself a Mac; no Mac has a screen to touch.
  return /iphone|ipad|ipod/i.test(userAgent) || maxTouchPoints > 1 ? 'share' : 'dock';
}

export const install: InstallPort = {
  way: wayNow,
  async ask() {
    const asked = question;
    // It may be asked once; where the answer is no, the browser brings another.
    question = null;
    return (await asked?.prompt())?.outcome === 'accepted';
  },
  takeLinks:
    'registerProtocolHandler' in navigator
      ? () => navigator.registerProtocolHandler('web+posthaste', `${location.origin}/app/open?u=%s`)
      : null,
};

/** Notes when the app was first opened here, and offers once to install it when that was days ago. */
export function offerInstall(storage: SmallStorage, device: DeviceState): void {
  const offer = () => {
    const way = wayNow();
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
  onQuestion = offer;
  offer();
}
