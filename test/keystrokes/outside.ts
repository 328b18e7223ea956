// What a desk sees outside the app: notices of reminders, and the number on the icon.
import type { InstallPort, InstallWay } from '#client/install/install-port.ts';
import type { Id } from '#core/ids.ts';
import type { NotificationPermission, NotificationPort } from '#client/reminders/port.ts';
import type { Platform } from '#client/app/app.ts';

export class Outside {
  permission: NotificationPermission = 'unsupported';
  /** What the person answers when asked. */
  answer: NotificationPermission = 'granted';
  asked = 0;
  subscribed = 0;
  titles = true;
  readonly shown = new Map<Id, string>();
  badge: number | null = null;
  readonly port: NotificationPort;
  isInstalled = false;
  /** The browser lets the app be installed. */
  offersInstall = false;
  /** A browser whose menu does it. */
  installMenu: InstallWay | null = null;
  installs = 0;
  /** What the person answers when the browser asks. */
  isInstallWanted = true;
  linksTaken = 0;
  /** The option of a dialog's list that has the focus, and what was done with the focus since. */
  option: string | null = null;
  readonly focused: string[] = [];
  readonly options: Platform['options'] = {
    move: (to) => this.#focus(to),
    choose: () => this.#focus('choose'),
    current: () => this.option,
  };
  readonly install: InstallPort = {
    way: () => {
      if (this.isInstalled) return 'installed';
      return this.offersInstall ? 'ask' : (this.installMenu ?? 'none');
    },
    ask: () => {
      if (this.offersInstall) this.installs += 1;
      return Promise.resolve(this.offersInstall && this.isInstallWanted);
    },
    takeLinks: () => void (this.linksTaken += 1),
  };

  #focus(what: string): boolean {
    if (this.option === null) return false;
    this.focused.push(what);
    return true;
  }

  constructor() {
    const titles = () => this.titles;
    this.port = {
      permission: () => this.permission,
      ask: () => {
        this.asked += 1;
        this.permission = this.answer;
        return Promise.resolve(this.answer);
      },
      subscribe: () => {
        this.subscribed += 1;
        return Promise.resolve(null);
      },
      get showsTitles() {
        return titles();
      },
      showTitles: (shows) => void (this.titles = shows),
      show: ({ task, title, body }) => void this.shown.set(task, `${title}: ${body}`),
      shown: () => Promise.resolve([...this.shown.keys()]),
      close: (task) => void this.shown.delete(task),
      badge: (count) => void (this.badge = count),
    };
  }
}
