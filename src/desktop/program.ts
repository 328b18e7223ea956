// The desktop app around its page: windows, links, the session, and what the page asks of the system. A shell runs it, and does for it what
// differs between systems (shell.ts).
import { counted } from '#core/counted.ts';
import { appPage, buildFile, serverPage } from './app-files.ts';
import { Cookies } from './cookies.ts';
import { isLink, LinkQueue } from './link-queue.ts';
import { pageMessageSchema, type PageMessage, type ProgramMessage } from './messages.ts';
import { answerPage, outside, type PageAnswer, type PageRequest } from './serving.ts';
import {
  type DesktopSettings,
  firstSettings,
  readSettings,
  serverAddress,
  settingsFile,
} from './settings.ts';
import type { Shell, WindowName } from './shell.ts';
import { PageSockets } from './sockets.ts';
import { type Build, readBuild } from './updates/build.ts';
import { updateNote, Updates } from './updates/updates.ts';

/** What is selected, for other programs: they look for it under this name, in the folder that the app has of its own. */
export const selectedTasksFile = 'selected-tasks.json';

/** The page of quick entry: the app, which shows nothing else there. */
const QUICK_PAGE = `${appPage}?quick`;

const NO_ADDRESS = 'That’s no address. Type it without a path, like tasks.example.org.';
const SIGNED_IN =
  'You’re signed in at your present server. Sign out there first, so that your tasks don’t get mixed up.';

/** From 0 to 99. */
const placeByChance = () => Math.floor(Math.random() * 100);

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Nothing that the page says.
    return null;
  }
};

/** The desktop app around its pages. `start` comes first. */
export class DesktopProgram {
  readonly #shell: Shell;
  readonly #links = new LinkQueue();
  readonly #sockets: Readonly<Record<WindowName, PageSockets>>;
  #settings: DesktopSettings = firstSettings;
  #cookies: Cookies;
  #updates: { readonly updates: Updates; readonly build: Build } | null = null;
  /** The version that is ready to be installed. */
  #ready: string | null = null;
  /** The person was asked for the server in this run. */
  #isAsked = false;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#cookies = new Cookies(shell.keychain, '');
    const socketsOf = (window: WindowName) =>
      new PageSockets(shell, (message) => this.#tell(window, message));
    this.#sockets = { main: socketsOf('main'), quick: socketsOf('quick') };
  }

  get settings(): DesktopSettings {
    return this.#settings;
  }

  /** `server`: given at the start, which then stays. Resolves once the first page can be answered. */
  async start(server: string | null = null): Promise<void> {
    this.#settings = readSettings(await this.#shell.readOwn(settingsFile));
    this.#follow();
    const build = readBuild(await this.#shell.readBuilt(buildFile), this.#shell.platform);
    const ports = { shell: this.#shell, build, server: () => this.#settings.server, chance: placeByChance };
    this.#updates = { build, updates: new Updates(ports) };
    const problem = server === null ? null : await this.chooseServer(server);
    if (problem !== null) console.warn(problem);
    this.#takeKey();
  }

  /** Null: it is taken, and the page has to be loaded anew. Otherwise why not, in words. */
  async chooseServer(typed: string): Promise<string | null> {
    const server = serverAddress(typed);
    if (server === null) return NO_ADDRESS;
    const { server: before } = this.#settings;
    if (server === before) return null;
    await this.#cookies.load();
    // The tasks of an account stay on this machine while somebody is signed in: another server must not get them.
    if (before !== null && this.#cookies.header !== '') return SIGNED_IN;
    await this.#keep({ ...this.#settings, server });
    this.#follow();
    return null;
  }

  /** False: another program has the key, or it can't be had. What was chosen is kept all the same. */
  async chooseKey(key: string | null): Promise<boolean> {
    await this.#keep({ ...this.#settings, key });
    return this.#takeKey();
  }

  /** The system hands over a link, or the app is opened without one. */
  open(link: string | null): void {
    if (link !== null) this.#links.add(link);
    this.#shell.show('main', this.#settings.server === null && !this.#isAsked ? serverPage : appPage);
    this.#isAsked = true;
  }

  /** Answers what a page asks for. */
  answer(request: PageRequest): Promise<PageAnswer | null> {
    return answerPage(this.#ports, request);
  }

  /** What a page says. What isn't understood is left. */
  heard(window: WindowName, text: string): void {
    const read = pageMessageSchema.safeParse(readJson(text));
    if (read.success) this.#heed(window, read.data);
    else console.warn('The page said something that the program doesn’t know.');
  }

  /** A page is loaded anew, or is gone. */
  left(window: WindowName): void {
    this.#sockets[window].closeAll();
    if (window === 'main') this.#links.close();
  }

  /** A page wants to lead somewhere else: only other programs open that. */
  leave(address: string): void {
    if (isLink(address)) {
      this.open(address);
      return;
    }
    const target = outside(address, this.#settings.server);
    if (target !== null) this.#shell.openExternal(target);
  }

  /** Asks for a newer version of the program. A shell does that some time after the start, and every few hours. */
  async lookForUpdate(isAsked = false): Promise<void> {
    if (this.#updates === null) return;
    const { updates, build } = this.#updates;
    const state = await updates.look(isAsked);
    if (state.type === 'ready') this.#ready = state.version;
    this.#tellUpdate();
    if (!isAsked && state.type !== 'ready') return;
    const body = updateNote(state, build);
    this.#shell.notify({ task: 'update', title: 'Posthaste', body }, () => void this.#install());
  }

  /** The system-wide key was pressed. */
  quickEntry(): void {
    this.#shell.show('quick', QUICK_PAGE);
    // A page that is loaded now says that it is ready, and is told then.
    this.#tell('quick', { type: 'quick' });
  }

  get #ports() {
    return { shell: this.#shell, cookies: this.#cookies, server: this.#settings.server };
  }

  async #keep(settings: DesktopSettings): Promise<void> {
    this.#settings = settings;
    await this.#shell.writeOwn(settingsFile, `${JSON.stringify(settings, null, 2)}\n`);
  }

  #follow(): void {
    this.#cookies = new Cookies(this.#shell.keychain, this.#settings.server ?? '');
    // Pages don't wait for it: what they ask of the server does.
    void this.#cookies.load();
  }

  #tellUpdate(): void {
    if (this.#ready !== null) this.#tell('main', { type: 'update', version: this.#ready });
  }

  async #install(): Promise<void> {
    if (this.#ready === null || (await this.#updates?.updates.install()) === true) return;
    const body =
      'Nothing on this system opens the new version. It’s in the folder “updates” beside your settings.';
    this.#shell.notify({ task: 'update', title: 'Posthaste', body }, () => undefined);
  }

  #takeKey(): boolean {
    return this.#shell.takeKey(this.#settings.key, () => this.quickEntry());
  }

  #tell(window: WindowName, message: ProgramMessage): void {
    this.#shell.tell(window, JSON.stringify(message));
  }

  #takeLinks(): void {
    this.#links.open((link) => this.#tell('main', { type: 'link', link }));
    const leftOut = this.#links.forgetLeftOut();
    if (leftOut === 0) return;
    const body = `Too many links came at once: ${counted(leftOut, 'link was', 'links were')} left out.`;
    this.#shell.notify({ task: 'links', title: 'Posthaste', body }, () => undefined);
  }

  #heed(window: WindowName, message: PageMessage): void {
    const sockets = this.#sockets[window];
    switch (message.type) {
      case 'ready':
        if (window === 'quick') this.#tell('quick', { type: 'quick' });
        else {
          this.#takeLinks();
          this.#tellUpdate();
        }
        return;
      case 'connect':
        sockets.connect(message.socket, message.path, this.#ports);
        return;
      case 'send':
        sockets.send(message.socket, message.text);
        return;
      case 'close':
        sockets.close(message.socket);
        return;
      case 'badge':
        this.#shell.badge(message.count);
        return;
      case 'notice':
        this.#shell.notify(message, () => {
          this.#shell.show('main', appPage);
          this.#tell('main', { type: 'chosen', task: message.task });
        });
        return;
      case 'withdraw':
        this.#shell.withdraw(message.task);
        return;
      case 'selected':
        void this.#shell.writeOwn(selectedTasksFile, message.text);
        return;
      case 'server':
        void this.chooseServer(message.address).then((problem) =>
          this.#tell(window, { type: 'server', problem }),
        );
        return;
      case 'look':
        void this.lookForUpdate(true);
        return;
      case 'install':
        void this.#install();
        return;
      case 'done':
        this.#shell.hide(window);
    }
  }
}
