// What runs of one profile: its session, the sockets of its pages, and the links that wait for its page.
import { Cookies } from './cookies.ts';
import { Drops } from './drops.ts';
import { LinkQueue } from './link-queue.ts';
import type { Menu } from './menus.ts';
import { type DesktopProfile, sessionName } from './profiles.ts';
import type { Shell, WindowKind } from './shell.ts';
import type { ProgramMessage } from './messages.ts';
import { PageSockets } from './sockets.ts';

/** A profile that a window was opened for in this run. */
export class OpenedProfile {
  readonly host: string;
  readonly links = new LinkQueue();
  /** Files for its page. */
  readonly drops = new Drops();
  readonly sockets: Readonly<Record<WindowKind, PageSockets>>;
  readonly #shell: Shell;
  readonly #bound: () => void;
  cookies: Cookies;
  /** Of its page, without what the program adds. */
  menus: readonly Menu[] = [];
  /** Want what is selected the next time that its page says it. */
  readonly wantSelected: ((text: string) => void)[] = [];
  /** How many of its tasks are due. */
  due = 0;
  /** Its page is taking away what it stored. */
  isLeaving = false;

  /** `bound`: somebody signed in. */
  constructor(
    shell: Shell,
    profile: DesktopProfile,
    on: { readonly tell: (kind: WindowKind, message: ProgramMessage) => void; readonly bound: () => void },
  ) {
    this.#shell = shell;
    this.host = profile.host;
    this.#bound = on.bound;
    const socketsOf = (kind: WindowKind) => new PageSockets(shell, (message) => on.tell(kind, message));
    this.sockets = { main: socketsOf('main'), quick: socketsOf('quick') };
    this.cookies = this.#cookiesOf(profile);
  }

  /** Its server is another one from now on. */
  follow(profile: DesktopProfile): void {
    this.cookies = this.#cookiesOf(profile);
  }

  #cookiesOf(profile: DesktopProfile): Cookies {
    const cookies = new Cookies(this.#shell.keychain, sessionName(profile), () => {
      if (cookies.header !== '') this.#bound();
    });
    // Pages don't wait for it: what they ask of the server does.
    void cookies.load();
    return cookies;
  }

  /** A page is loaded anew, or is gone. */
  left(kind: WindowKind): void {
    this.sockets[kind].closeAll();
    if (kind !== 'main') return;
    this.links.close();
    this.drops.forget();
  }
}
