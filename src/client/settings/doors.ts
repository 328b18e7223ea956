// What is set elsewhere than in the settings dialog, by tab: the commands that lead there, and what one finds there. A part of
// the dialog's chunk.
import type { SettingTab } from './setting.ts';

export interface Door {
  readonly tab: SettingTab;
  readonly command: string;
  /** What is behind it, in a sentence. */
  readonly help: string;
  /** Shown with its reason where it cannot be gone through; the others are left out then. */
  readonly saysWhy?: true;
}

export const settingDoors: readonly Door[] = [
  {
    tab: 'Keys',
    command: 'help.keys',
    help: 'Every command with its keys: find, change, add or take them away; sets of keys.',
  },
  { tab: 'Keys', command: 'keys.print', help: 'Your keys on one page, also to print.' },
  { tab: 'Labels', command: 'label.manage', help: 'Names, colours, groups and keys of labels.' },
  {
    tab: 'Account',
    command: 'account.signUp',
    help: 'Your tasks on all your devices, and a copy that outlives this one.',
  },
  {
    tab: 'Account',
    command: 'account.signIn',
    help: 'What is on this device joins what is in your account.',
  },
  {
    tab: 'Account',
    command: 'account.safety',
    help: 'Address, password, one-time codes, passkeys; erasing the account.',
  },
  { tab: 'Account', command: 'account.sessions', help: 'Where this account is signed in.' },
  { tab: 'Account', command: 'account.tokens', help: 'What programs sign in with.' },
  {
    tab: 'Account',
    command: 'account.promo',
    help: 'A discount for when you subscribe. Nothing is charged.',
  },
  { tab: 'Account', command: 'list.email', help: 'Mail that is sent to it becomes tasks in the open list.' },
  { tab: 'Account', command: 'account.signOut', help: 'Your tasks stay in the account.' },
  {
    tab: 'Data',
    command: 'application.syncStatus',
    help: 'What has reached the server, what waits, and where this device keeps its copy.',
  },
  { tab: 'Data', command: 'sync.disable', help: 'This device works by itself until you turn it on again.' },
  { tab: 'Data', command: 'sync.enable', help: 'This device takes part again.' },
  { tab: 'Data', command: 'sync.safetyCopies', help: 'What was changed while cloud sync was off.' },
  { tab: 'Data', command: 'file.import', help: 'Tasks from Markdown, text or JSON.' },
  { tab: 'Data', command: 'export.accountJson', help: 'All there is, to keep or to import again.' },
  { tab: 'Data', command: 'export.accountMarkdown', help: 'All tasks, as a text that people read.' },
  { tab: 'Data', command: 'history.everything', help: 'What was done, by whom, and the way back.' },
  {
    tab: 'This app',
    command: 'application.install',
    help: 'A window of its own, and its own place among your programs.',
    saysWhy: true,
  },
  {
    tab: 'This app',
    command: 'application.takeLinks',
    help: 'Links that begin with web+posthaste: open in this browser.',
  },
  {
    tab: 'This app',
    command: 'reminder.notify',
    help: 'Reminders are shown also while Posthaste is not looked at.',
  },
  { tab: 'This app', command: 'application.reload', help: 'Takes a new version if one waits.' },
];
