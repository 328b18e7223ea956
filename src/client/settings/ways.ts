// What is set elsewhere than in the settings dialog, by tab: the commands that lead there, and what one finds there. A part of
// the dialog's chunk.
import type { SettingTab } from './setting.ts';

export interface Way {
  readonly tab: SettingTab;
  readonly command: string;
  /** On its button. */
  readonly verb: string;
  /** What is behind it, in a sentence. */
  readonly help: string;
  /** Shown with its reason where it cannot be gone through; the others are left out then. */
  readonly saysWhy?: true;
}

export const settingWays: readonly Way[] = [
  {
    tab: 'Keys',
    command: 'help.keys',
    verb: 'Change',
    help: 'Every command with its keys: find, change, add or take them away; sets of keys.',
  },
  { tab: 'Keys', command: 'keys.print', verb: 'Show', help: 'Your keys on one page, also to print.' },
  {
    tab: 'Labels',
    command: 'label.manage',
    verb: 'Change',
    help: 'Names, colours, groups and keys of labels.',
  },
  {
    tab: 'Account',
    command: 'account.signUp',
    verb: 'Create',
    help: 'Your tasks on all your devices, and a copy that outlives this one.',
  },
  {
    tab: 'Account',
    command: 'account.signIn',
    verb: 'Sign in',
    help: 'What is on this device joins what is in your account.',
  },
  {
    tab: 'Account',
    command: 'account.safety',
    verb: 'Change',
    help: 'Address, password, one-time codes, passkeys; erasing the account.',
  },
  { tab: 'Account', command: 'account.sessions', verb: 'Show', help: 'Where this account is signed in.' },
  { tab: 'Account', command: 'account.tokens', verb: 'Show', help: 'What programs sign in with.' },
  {
    tab: 'Account',
    command: 'account.promo',
    verb: 'Enter',
    help: 'A discount for when you subscribe. Nothing is charged.',
  },
  {
    tab: 'Account',
    command: 'list.email',
    verb: 'Show',
    help: 'Mail that is sent to it becomes tasks in the open list.',
  },
  { tab: 'Account', command: 'account.signOut', verb: 'Sign out', help: 'Your tasks stay in the account.' },
  {
    tab: 'Data',
    command: 'application.syncStatus',
    verb: 'Show',
    help: 'What has reached the server, what waits, and where this device keeps its copy.',
  },
  {
    tab: 'Data',
    command: 'sync.disable',
    verb: 'Disable',
    help: 'This device works by itself until you turn it on again.',
  },
  { tab: 'Data', command: 'sync.enable', verb: 'Enable', help: 'This device takes part again.' },
  {
    tab: 'Data',
    command: 'sync.safetyCopies',
    verb: 'Show',
    help: 'What was changed while cloud sync was off.',
  },
  {
    tab: 'Data',
    command: 'file.import',
    verb: 'Import',
    help: 'Tasks from Markdown, text, JSON, OPML or CSV.',
  },
  {
    tab: 'Data',
    command: 'export.accountJson',
    verb: 'Export',
    help: 'All there is, to keep or to import again.',
  },
  {
    tab: 'Data',
    command: 'export.accountMarkdown',
    verb: 'Export',
    help: 'All tasks, as a text that people read.',
  },
  {
    tab: 'Data',
    command: 'history.everything',
    verb: 'Show',
    help: 'What was done, by whom, and the way back.',
  },
  {
    tab: 'This app',
    command: 'application.install',
    verb: 'Install',
    help: 'A window of its own, and its own place among your programs.',
    saysWhy: true,
  },
  {
    tab: 'This app',
    command: 'application.takeLinks',
    verb: 'Allow',
    help: 'Links that begin with web+posthaste: open in this browser.',
  },
  {
    tab: 'This app',
    command: 'reminder.notify',
    verb: 'Turn on',
    help: 'Reminders are shown also while Posthaste is not looked at.',
  },
  {
    tab: 'This app',
    command: 'application.reload',
    verb: 'Reload',
    help: 'Takes a new version if one waits.',
  },
];
