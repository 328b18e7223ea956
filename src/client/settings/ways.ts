// Ways from the settings dialog to what is set elsewhere, by tab: the commands that lead there, with a description.
// Part of the dialog's lazy part.
import type { SettingTab } from './setting.ts';

export interface Way {
  readonly tab: SettingTab;
  readonly command: string;
  /** The label of its button. */
  readonly verb: string;
  /** Its purpose in a sentence. */
  readonly help: string;
  /** Shown with the reason while unavailable; others are hidden then. */
  readonly saysWhy?: true;
}

export const settingWays: readonly Way[] = [
  {
    tab: 'Appearance',
    command: 'look.customCss',
    verb: 'Edit',
    help: 'CSS of your own, over everything else. On this device only.',
  },
  {
    tab: 'Keys',
    command: 'help.keys',
    verb: 'Change',
    help: 'Every command and its hotkeys. Find, change, add or remove them.',
  },
  { tab: 'Keys', command: 'keys.print', verb: 'Show', help: 'Your hotkeys on one page, ready to print.' },
  {
    tab: 'Labels',
    command: 'label.manage',
    verb: 'Change',
    help: 'Label names, colors, groups and hotkeys.',
  },
  {
    tab: 'Account',
    command: 'account.signUp',
    verb: 'Create',
    help: 'Your tasks on all your devices, with a copy on the server.',
  },
  {
    tab: 'Account',
    command: 'account.signIn',
    verb: 'Sign in',
    help: 'Adds the tasks on this device to your account.',
  },
  {
    tab: 'Account',
    command: 'account.safety',
    verb: 'Change',
    help: 'Email, password, one-time codes and passkeys. Erase your account.',
  },
  {
    tab: 'Account',
    command: 'account.profile',
    verb: 'Change',
    help: 'Your name, initials or emoji, and color, as people see you in shared lists.',
  },
  {
    tab: 'Behavior',
    command: 'calendar.sources',
    verb: 'Show',
    help: 'Calendars of other programs beside your tasks.',
  },
  { tab: 'Account', command: 'account.sessions', verb: 'Show', help: 'Where you’re signed in.' },
  { tab: 'Account', command: 'account.tokens', verb: 'Show', help: 'For programs that sign in as you.' },
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
    help: 'Email sent there becomes tasks in the open list.',
  },
  { tab: 'Account', command: 'account.signOut', verb: 'Sign out', help: 'Your tasks stay in your account.' },
  {
    tab: 'Data',
    command: 'application.syncStatus',
    verb: 'Show',
    help: 'What’s synced, what’s waiting, and where this device keeps its copy.',
  },
  {
    tab: 'Data',
    command: 'sync.disable',
    verb: 'Disable',
    help: 'Nothing leaves this device until you turn it back on.',
  },
  { tab: 'Data', command: 'sync.enable', verb: 'Enable', help: 'This device syncs again.' },
  {
    tab: 'Data',
    command: 'sync.safetyCopies',
    verb: 'Show',
    help: 'Changes made while cloud sync was off.',
  },
  {
    tab: 'Data',
    command: 'file.import',
    verb: 'Import',
    help: 'Tasks from other apps, text, Markdown or JSON.',
  },
  {
    tab: 'Data',
    command: 'export.accountJson',
    verb: 'Export',
    help: 'Everything, to keep or import again.',
  },
  {
    tab: 'Data',
    command: 'export.accountMarkdown',
    verb: 'Export',
    help: 'All tasks as readable text.',
  },
  {
    tab: 'Data',
    command: 'history.everything',
    verb: 'Show',
    help: 'What changed, who changed it, and how to bring it back.',
  },
  {
    tab: 'This app',
    command: 'application.install',
    verb: 'Install',
    help: 'Its own window, and a place among your apps.',
    saysWhy: true,
  },
  {
    tab: 'This app',
    command: 'application.takeLinks',
    verb: 'Allow',
    help: 'Open web+posthaste: links in this browser.',
  },
  {
    tab: 'This app',
    command: 'reminder.notify',
    verb: 'Turn on',
    help: 'Get reminders when you’re not looking at Posthaste.',
  },
  {
    tab: 'This app',
    command: 'application.reload',
    verb: 'Reload',
    help: 'Loads a new version if there is one.',
  },
];
