// Installing the app: the offer of a browser that makes one is kept until somebody asks for it.
import type { InstallPort } from '#client/install-port.ts';

/** Chromium's; it can be answered once. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

const OWN_WINDOW = '(display-mode: standalone), (display-mode: window-controls-overlay)';

let offer: InstallOffer | null = null;

addEventListener('beforeinstallprompt', (event) => {
  // The browser's own bar would come unasked.
  event.preventDefault();
  offer = event as InstallOffer;
});
addEventListener('appinstalled', () => (offer = null));

export const install: InstallPort = {
  isInstalled: () =>
    matchMedia(OWN_WINDOW).matches ||
    (navigator as Navigator & { readonly standalone?: boolean }).standalone === true,
  async ask() {
    const kept = offer;
    offer = null;
    if (kept === null) return false;
    await kept.prompt();
    return true;
  },
};
