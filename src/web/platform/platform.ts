// What the app asks of a browser (the Platform port), put together.
import type { AccountPort, Platform } from '#client/app/app.ts';
import type { FilesPort } from '#client/files/port.ts';
import type { DesktopPort } from '#client/desktop/port.ts';
import type { DevicePort } from '#client/app/device.ts';
import type { Replacer } from '#client/replacing/replacer.ts';
import { copyText, openLink, readClipboard, saveFile } from './files.ts';
import { install } from './install.ts';
import { smallStorage } from './storage/local-storage.ts';
import { loadViews, restViews } from '../views/rest-views.ts';
import { drawn, insertText, press, textField } from './input/type-ahead.ts';
import { createNotifications } from './notices-port.ts';
import { createPreferences } from './storage/preferences.ts';
import { updates } from './updates.ts';
import { timers } from './world.ts';

/** Asking takes a quarter of a millisecond, and every key asks. */
const ZONE_MS = 1_000;
let zone = '';
let zoneUntilMs = 0;

/** The time zone of this device, as it was within the last second. */
export function zoneNow(): string {
  const now = performance.now();
  if (now >= zoneUntilMs) {
    zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    zoneUntilMs = now + ZONE_MS;
  }
  return zone;
}

/** One for the page: what is being sent is known in one place. */
let files: Promise<FilesPort> | null = null;
let mayBeSent = () => false;

function loadFiles(canSend: () => boolean): Promise<FilesPort> {
  mayBeSent = canSend;
  files ??= import('./storage/file-store.ts')
    .then(({ createFileStore }) => createFileStore(() => mayBeSent()))
    .catch((error: unknown) => {
      files = null;
      throw error;
    });
  return files;
}

const NO_OPTIONS: Platform['options'] = { move: () => false, choose: () => false, current: () => null };

const ANSWER_MS = 4_000;

/** A server that answers has a newer app, without the part that was asked for. */
async function whyMissing(): Promise<'offline' | 'renewed'> {
  if (!navigator.onLine) return 'offline';
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch('/healthz', { cache: 'no-store', signal });
    return answer.ok ? 'renewed' : 'offline';
  } catch {
    // No answer is the answer.
    return 'offline';
  }
}

const APPLE = /mac|iphone|ipad|ipod/i;

interface UserAgentData {
  readonly platform?: string;
}

function isApple(): boolean {
  const { userAgentData } = navigator as Navigator & { readonly userAgentData?: UserAgentData };
  return APPLE.test(userAgentData?.platform ?? navigator.userAgent);
}

/** Its code comes with the first run. */
function openReplacer(): Replacer {
  const opened = import('./input/replacer.ts').then((replacer) => replacer.openReplacer());
  return {
    run: (...asked) =>
      opened.then(
        (replacer) => replacer.run(...asked),
        () => ({ type: 'failed' }),
      ),
    close: () => void opened.then((replacer) => replacer.close()).catch(() => undefined),
  };
}

/** Made anew for each app. `taken` resolves once changes that closed pages left unwritten are made here. */
export function createPlatform(
  account: AccountPort,
  device: DevicePort,
  taken: () => Promise<void>,
): Platform {
  const preferences = createPreferences(smallStorage);
  const apple = isApple();
  const fingers = matchMedia('(pointer: coarse)');
  return {
    apple,
    info: {
      version: String(import.meta.env.POSTHASTE_VERSION),
      build: String(import.meta.env.POSTHASTE_BUILD),
      licence: String(import.meta.env.POSTHASTE_LICENCE),
    },
    get touch() {
      return fingers.matches && !document.documentElement.hasAttribute('data-ph-keys');
    },
    zone: zoneNow,
    locale: () => navigator.language,
    after: (delayMs, work) => timers.after(delayMs, work),
    copyText,
    readClipboard,
    saveFile,
    pickFile: (accept) => import('./file-reading.ts').then((reading) => reading.pickFile(accept)),
    pickSources: () => import('./importing/picking.ts').then((picking) => picking.pickSources()),
    openImporter: () => import('./importing/importer.ts').then((importer) => importer.openImporter()),
    files: () => loadFiles(() => account.email !== null),
    openLink,
    preferences,
    taken,
    account,
    device,
    openReplacer,
    scripts: () => import('./scripts/runner.ts').then((runner) => runner.scripts),
    loadViews,
    drawn,
    press: (input) => press(input, apple),
    insertText,
    textField,
    // Before the views are here no dialog is.
    get options() {
      return restViews.get()?.options ?? NO_OPTIONS;
    },
    whyMissing,
    install,
    notifications: createNotifications(preferences, () => account.email !== null),
    isSafe: 'phSafe' in document.documentElement.dataset,
    get paper() {
      return restViews.get()?.paper;
    },
    reload: () => void updates.reload(),
    desktop: (window as { readonly desktop?: DesktopPort }).desktop,
  };
}
