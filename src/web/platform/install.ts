// What this browser can do to put the app among the programs of the device (the InstallPort). Its offer to do so comes early
// and once, so it is kept from the start; what is done with it is install-offer.ts.
import type { InstallPort, InstallWay } from '#client/install/install-port.ts';

/** Chromium's offer, as the standard does not have it. */
interface InstallQuestion extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

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

/** Calls it when the browser brings its offer. */
export function onInstallQuestion(heard: () => void): void {
  onQuestion = heard;
}
