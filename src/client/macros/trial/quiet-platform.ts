// A platform for an app that nobody sees: it answers as the one of this device does, and does nothing outside. What is set
// stays in it, what is copied, opened, saved or sent goes nowhere, and time passes only as far as work waits for its turn.
import { failed } from '#core/result.ts';
import type { AccountPort, Platform } from '../../app/app.ts';
import type { DevicePort } from '../../app/device.ts';
import { createSignal } from '../../app/signal.ts';
import type { FilesPort } from '../../files/port.ts';
import { noNotifications } from '../../reminders/port.ts';

const nothing = () => undefined;
const never = () => Promise.reject(new Error('There is nothing outside of a trial.'));
const offline = { type: 'offline', message: 'There is nothing outside of a trial.' } as const;
const refused = () => Promise.resolve(offline);

const accountOf = ({ email, isKept }: AccountPort): AccountPort => ({
  email,
  isKept,
  signUp: refused,
  signIn: refused,
  signInByPasskey: refused,
  safety: refused,
  sharing: never,
  sealing: never,
  live: never,
  useOther: nothing,
  refuseOther: () => Promise.resolve(),
  signOut: refused,
  stayHere: nothing,
  sessions: refused,
  revoke: refused,
  devices: refused,
  emptyTrash: refused,
  mailAddress: refused,
  history: refused,
});

const deviceOf = ({ facts, kept }: DevicePort): DevicePort => ({
  facts: createSignal(facts.get()),
  notices: createSignal([]),
  tell: nothing,
  dismiss: nothing,
  damaged: () => Promise.resolve(null),
  kept,
  keptChanges: () => Promise.resolve(null),
  safetyCopies: never,
  dropKept: () => Promise.resolve(),
});

/** Nobody is there to choose one. */
const noFiles: FilesPort = {
  pick: () => Promise.resolve([]),
  clipboard: () => Promise.resolve([]),
  keep: () => Promise.resolve(failed(offline.message)),
  unsent: createSignal(new Map()),
  follow: nothing,
  sendAgain: nothing,
  retry: nothing,
  picture: () => Promise.resolve(null),
  save: () => Promise.resolve(offline.message),
};

/** `of`: the platform of this device. Of it, only what reads is used: its clock, its clipboard, its scripts and its reader of files. */
export function quietPlatform(of: Platform): Platform {
  // What was open last is opened when the rest is ready for it.
  const set = new Map([['place', '']]);
  let copied: string | null = null;
  return {
    apple: of.apple,
    info: of.info,
    touch: of.touch,
    zone: () => of.zone(),
    locale: () => of.locale(),
    // Parts of large changes follow each other; reminders, progress and the like are for somebody who looks.
    after: (delayMs, work) => (delayMs > 0 ? nothing : of.after(0, work)),
    copyText: (text) => {
      copied = text;
      return Promise.resolve(true);
    },
    readClipboard: () => (copied === null ? of.readClipboard() : Promise.resolve(copied)),
    saveFile: nothing,
    pickFile: () => Promise.resolve(null),
    pickSources: () => Promise.resolve([]),
    openImporter: () => of.openImporter(),
    openLink: nothing,
    preferences: {
      get: (key) => set.get(key) ?? of.preferences.get(key),
      set: (key, value) => void set.set(key, value),
    },
    taken: () => Promise.resolve(),
    account: accountOf(of.account),
    device: deviceOf(of.device),
    isSafe: of.isSafe,
    openReplacer: () => ({ run: () => Promise.resolve({ type: 'failed' }), close: nothing }),
    scripts: () => of.scripts(),
    files: () => Promise.resolve(noFiles),
    loadViews: () => Promise.resolve(),
    drawn: () => Promise.resolve(),
    press: nothing,
    insertText: nothing,
    textField: () => null,
    options: { move: () => false, choose: () => false, current: () => null },
    whyMissing: () => of.whyMissing(),
    notifications: noNotifications,
    install: {
      way: () => of.install.way(),
      ask: () => Promise.resolve(false),
      takeLinks: of.install.takeLinks === null ? null : nothing,
    },
    reload: nothing,
  };
}
