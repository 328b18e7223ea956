// From navigation to the list on screen and to the first key's result; what crossed the network for it.
import type { Dataset } from '../datasets.ts';
import { openCount } from '../datasets.ts';
import { type Browser, openList, waitUntil } from './chromium.ts';
import { pressAndWait } from './keystrokes.ts';
import type { Subject } from './subject.ts';

export interface StartUp {
  /** Milliseconds since navigation began. */
  readonly visible: number;
  readonly firstKey: number;
  /** All tasks of the list are in memory. */
  readonly complete: number;
  readonly bytes: number;
  readonly requests: number;
}

/** `cold`: nothing in the HTTP cache and no service worker; the tasks are on the device either way. */
export async function measureStartUp(
  browser: Browser,
  subject: Subject,
  { url, dataset, cold }: { readonly url: string; readonly dataset: Dataset; readonly cold: boolean },
): Promise<StartUp> {
  const tab = await browser.open();
  const { page, cdp } = tab;
  try {
    await cdp.send('Network.enable');
    if (cold) {
      await cdp.send('Network.clearBrowserCache');
      await cdp.send('Network.setBypassServiceWorker', { bypass: true });
    }
    let bytes = 0;
    let requests = 0;
    cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      requests += 1;
    });
    const visible = await openList(tab, url);
    const step = await subject.interactions(dataset).move.prepare(page, 0);
    const record = await pressAndWait(tab, step);
    const complete = await waitUntil(tab, 'complete', openCount(dataset));
    return { visible, firstKey: record.at + (record.done ?? Number.NaN), complete, bytes, requests };
  } finally {
    await page.close();
  }
}
