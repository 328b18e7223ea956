// The desktop app around its pages: profiles and their windows, links, and what a page asks of the system. A shell runs it, and does for it what
// differs between systems (shell.ts).
import { counted } from '#core/counted.ts';
import { answerLine, type AnsweringPorts } from './answering.ts';
import { appPage, erasePage, originOf, serverPage } from './app-files.ts';
import { isLink } from './link-queue.ts';
import { pageMessageSchema, type PageMessage, type ProgramMessage } from './messages.ts';
import { OpenedProfile } from './opened-profile.ts';
import { type DesktopProfile, firstProfile, freshHost, MOST_PROFILES, titleOf } from './profiles.ts';
import type { Drop } from './drops.ts';
import { answerPage, outside, type PageAnswer, type PageRequest } from './serving.ts';
import {
  type DesktopSettings,
  firstSettings,
  readSettings,
  serverAddress,
  settingsFile,
  unreadableFile,
} from './settings.ts';
import { SystemDesk } from './system.ts';
import { readWindow, type Shell, type WindowKind, type WindowName } from './shell.ts';
import { UpdateDesk } from './updates/update-desk.ts';

/** What is selected, for other programs: they look for it under this name, in the folder that the app has of its own. */
export const selectedTasksFile = 'selected-tasks.json';

/** The page of quick entry: the app, which shows nothing else there. */
const QUICK_PAGE = `${appPage}?quick`;

const NO_ADDRESS = 'That’s no address. Type it without a path, like tasks.example.org.';
const TOO_MANY = `There are ${MOST_PROFILES} accounts on this machine already. Remove one first.`;

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
  readonly #system: SystemDesk;
  readonly #opened = new Map<string, OpenedProfile>();
  #settings: DesktopSettings = firstSettings(firstProfile.host);
  /** False: the last one failed. */
  #writing: Promise<boolean> = Promise.resolve(true);
  #isSafe = false;
  readonly #updates: UpdateDesk;
  /** The person was asked for the server in this run. */
  #isAsked = false;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#system = new SystemDesk({
      shell,
      opened: this.#opened,
      settings: () => this.#settings,
      keep: (settings) => this.#keep(settings),
      tell: (window, message) => this.#tell(window, message),
      choose: (window, id) => this.choose(window, id),
    });
    this.#updates = new UpdateDesk({
      shell,
      server: () => this.#profile(this.#settings.last)?.server ?? null,
      tell: (window, version) => this.#tell(window, { type: 'update', version }),
      windows: () => [...this.#opened.keys()].map((host): WindowName => `main@${host}`),
    });
  }

  get settings(): DesktopSettings {
    return this.#settings;
  }

  /** `server`: given at the start, which then stays. `isSafe`: without custom code and CSS. Resolves once the first page can be answered. */
  async start(
    server: string | null = null,
    { isSafe = false }: { readonly isSafe?: boolean } = {},
  ): Promise<void> {
    this.#isSafe = isSafe;
    await this.#read();
    await this.#updates.begin();
    const problem = server === null ? null : await this.#startAt(server);
    if (problem !== null) console.warn(problem);
    this.#takeKey();
    this.#system.begin();
    this.#shell.answerLines((line) => answerLine(this.#answering, line));
  }

  /** Null: it is taken, and the page that asked goes on. Otherwise why not, in words. */
  async chooseServer(host: string, typed: string): Promise<string | null> {
    const server = serverAddress(typed);
    if (server === null) return NO_ADDRESS;
    const profile = this.#profile(host);
    if (profile === undefined || server === profile.server) return null;
    if (!profile.isBound) {
      await this.#change({ ...profile, server });
      this.#opened.get(host)?.follow({ ...profile, server });
      return null;
    }
    // What is stored belongs to the server before: another one gets storage of its own.
    const there = this.#settings.profiles.find((other) => other.server === server);
    const added = there ?? (await this.#add(server));
    if (added === null) return TOO_MANY;
    this.#showMain(added.host);
    return null;
  }

  /** False: another program has the key, or it can't be had. What was chosen is kept all the same. */
  async chooseKey(key: string | null): Promise<boolean> {
    await this.#keep({ ...this.#settings, key });
    return this.#takeKey();
  }

  /** The system hands over a link, or the app is opened without one: by the profile that was used last. */
  open(link: string | null): void {
    this.#openIn(this.#settings.last, link);
  }

  /** Opens the window without showing it, so that reminders ring and keys are there at once. */
  openHidden(): void {
    const { last } = this.#settings;
    this.#show(`main@${last}`, appPage);
    this.#shell.hide(`main@${last}`);
  }

  /** Answers what a page asks for; null: there is no answer. `host`: of its profile. */
  answer(host: string, request: PageRequest): Promise<PageAnswer | null> {
    const profile = this.#profile(host);
    if (profile === undefined) return Promise.resolve(null);
    const { cookies, drops } = this.#open(profile);
    const dropped = request.method === 'GET' ? drops.take(request.path) : null;
    if (dropped !== null) return Promise.resolve(dropped);
    return answerPage({ shell: this.#shell, cookies, server: profile.server }, request);
  }

  /** What a page says. What isn't understood is left. */
  heard(window: WindowName, text: string): void {
    const read = pageMessageSchema.safeParse(readJson(text));
    const { kind, host } = readWindow(window);
    const profile = this.#profile(host);
    if (read.success && profile) this.#heed(kind, profile, read.data);
    else console.warn('The page said something that the program doesn’t know.');
  }

  /** Files of other programs were dropped onto a page that gets none from its engine. Resolves once it is told of them. */
  async dropped(window: WindowName, { x, y, files: found }: Drop): Promise<void> {
    const { host } = readWindow(window);
    const opened = this.#opened.get(host);
    if (opened === undefined) return;
    const { given: files, problem } = await opened.drops.keep(found);
    if (files.length > 0) this.#tell(window, { type: 'dropped', x, y, files });
    if (problem !== null)
      this.#shell.notify({ task: 'dropped', title: 'Posthaste', body: problem }, () => undefined);
  }

  /** A page is loaded anew, or is gone. */
  left(window: WindowName): void {
    const { kind, host } = readWindow(window);
    this.#opened.get(host)?.left(kind);
  }

  /** The person is in this window now. */
  entered(window: WindowName): void {
    const { host } = readWindow(window);
    const isNews = host !== this.#settings.last && this.#profile(host) !== undefined;
    if (isNews) void this.#keep({ ...this.#settings, last: host });
  }

  /** A page wants to lead somewhere else: only other programs open that. */
  leave(window: WindowName, address: string): void {
    const { host } = readWindow(window);
    if (isLink(address)) {
      this.#openIn(host, address);
      return;
    }
    const target = outside(address, { host, server: this.#profile(host)?.server ?? null });
    if (target !== null) this.#shell.openExternal(target);
  }

  /** An item of a window's menus, of its keys, or of the tray was chosen. */
  choose(window: WindowName | null, id: string): void {
    const name = window ?? (`main@${this.#settings.last}` as const);
    const sizes: Readonly<Record<string, number>> = {
      'program.larger': 1,
      'program.smaller': -1,
      'program.actualSize': 0,
    };
    const step = sizes[id];
    if (step !== undefined) this.#system.zoom(step);
    else if (id === 'program.server') this.#askServer(readWindow(name).host);
    else if (id === 'program.reload') this.#shell.reload(name);
    else if (id === 'program.close') this.#shell.close(name);
    else if (id === 'program.menuBar') void this.#system.turn('menuBar', false);
    else if (id === 'program.quit') this.#shell.quit();
    else if (id === 'tray.open') this.open(null);
    else if (id === 'tray.quick') this.quickEntry();
    else this.#tell(name, { type: 'run', command: id });
  }

  /** Whether a window that the person closes goes on unseen, so that its reminders ring. */
  staysHidden(window: WindowName): boolean {
    return readWindow(window).kind === 'quick' || (this.#settings.tray && this.#shell.isInTray);
  }

  /** Asks for a newer version of the program. A shell does that some time after the start, and every few hours. */
  lookForUpdate(isAsked = false): Promise<void> {
    return this.#updates.look(isAsked);
  }

  /** The system-wide key was pressed. */
  quickEntry(): void {
    const { last } = this.#settings;
    this.#show(`quick@${last}`, QUICK_PAGE);
    // A page that is loaded now says that it is ready, and is told then.
    this.#tell(`quick@${last}`, { type: 'quick' });
  }

  /** The person wants to say which server it is. */
  #askServer(host: string): void {
    this.#show(`main@${host}`, serverPage);
    this.#shell.go(`main@${host}`, originOf(host) + serverPage);
  }

  get #answering(): AnsweringPorts {
    return {
      profiles: () => {
        const { profiles, last } = this.#settings;
        return [...profiles].sort((a, b) => Number(b.host === last) - Number(a.host === last));
      },
      opened: (host) => this.#opened.get(host),
      open: (host, link) => this.#openIn(host, link),
    };
  }

  #profile(host: string): DesktopProfile | undefined {
    return this.#settings.profiles.find((profile) => profile.host === host);
  }

  async #read(): Promise<void> {
    const text = await this.#shell.readOwn(settingsFile);
    const read = text === null ? firstSettings(firstProfile.host) : readSettings(text);
    this.#settings = read ?? firstSettings(freshHost([], Date.now()));
    if (read !== null || text === null) return;
    // Whose the tasks of this machine are stands in that text alone, so they are left where they are.
    await this.#shell.writeOwn(unreadableFile, text);
    console.warn(`The settings can’t be read. They are in ${unreadableFile} now.`);
  }

  /** The profile of a server that was named at the start: the one that has it, or what the page of the server does. */
  async #startAt(typed: string): Promise<string | null> {
    const server = serverAddress(typed);
    const { profiles, last } = this.#settings;
    const there = profiles.find((profile) => server !== null && profile.server === server);
    if (there) {
      if (there.host !== last && this.#profile(last)?.server !== server)
        await this.#keep({ ...this.#settings, last: there.host });
      return null;
    }
    if (server === null) return NO_ADDRESS;
    const isFree = this.#profile(last)?.isBound === false;
    if (isFree) return await this.chooseServer(last, typed);
    const added = await this.#add(server);
    if (added === null) return TOO_MANY;
    await this.#keep({ ...this.#settings, last: added.host });
    return null;
  }

  /** One after the other, the newest last. */
  async #keep(settings: DesktopSettings): Promise<void> {
    this.#settings = settings;
    const write = () => this.#shell.writeOwn(settingsFile, `${JSON.stringify(this.#settings, null, 2)}\n`);
    this.#writing = this.#writing.then(write);
    if (!(await this.#writing)) console.warn('The settings could not be written.');
  }

  /** One after the other, the newest last. */
  #keepSelected(text: string): void {
    this.#writing = this.#writing.then(() => this.#shell.writeOwn(selectedTasksFile, text));
  }

  async #change(changed: DesktopProfile): Promise<void> {
    const profiles = this.#settings.profiles.map((other) => (other.host === changed.host ? changed : other));
    await this.#keep({ ...this.#settings, profiles });
    this.#tellProfiles();
  }

  /** Null: there are too many. */
  async #add(server: string | null): Promise<DesktopProfile | null> {
    const { profiles } = this.#settings;
    if (profiles.length >= MOST_PROFILES) return null;
    const added = { ...firstProfile, host: freshHost(profiles, Date.now()), server };
    await this.#keep({ ...this.#settings, profiles: [...profiles, added] });
    this.#tellProfiles();
    return added;
  }

  #open(profile: DesktopProfile): OpenedProfile {
    const { host } = profile;
    const open = this.#opened.get(host);
    if (open) return open;
    const opened = new OpenedProfile(this.#shell, profile, {
      tell: (kind, message) => this.#tell(`${kind}@${host}`, message),
      bound: () => {
        const now = this.#profile(host);
        if (now?.isBound === false) void this.#change({ ...now, isBound: true });
      },
    });
    this.#opened.set(host, opened);
    return opened;
  }

  #openIn(host: string, link: string | null): void {
    const profile = this.#profile(host);
    if (profile === undefined) return;
    if (link !== null) this.#open(profile).links.add(link);
    const asks = profile.server === null && !this.#isAsked;
    this.#isAsked = true;
    this.#showMain(host, asks ? serverPage : appPage);
  }

  #showMain(host: string, page: string = appPage): void {
    this.#show(`main@${host}`, page);
  }

  #show(window: WindowName, page: string): void {
    const { kind, host } = readWindow(window);
    const profile = this.#profile(host);
    if (profile === undefined) return;
    this.#open(profile);
    const safe = this.#isSafe && page === appPage ? '?safe' : '';
    this.#shell.show(window, originOf(host) + page + safe);
    if (kind === 'main') this.#shell.entitle(window, this.#titleOf(profile));
  }

  /** With one account its name says nothing. */
  #titleOf(profile: DesktopProfile): string {
    return this.#settings.profiles.length === 1 ? 'Posthaste' : `${titleOf(profile)} – Posthaste`;
  }

  #takeKey(): boolean {
    return this.#shell.takeKey(this.#settings.key, () => this.quickEntry());
  }

  #tell(window: WindowName, message: ProgramMessage): void {
    this.#shell.tell(window, JSON.stringify(message));
  }

  /** To all pages, and above all windows. */
  #tellProfiles(): void {
    for (const host of this.#opened.keys()) {
      const profile = this.#profile(host);
      if (profile === undefined) continue;
      this.#tellProfilesTo(`main@${host}`);
      this.#shell.entitle(`main@${host}`, this.#titleOf(profile));
    }
  }

  #tellProfilesTo(window: WindowName): void {
    const profiles = this.#settings.profiles.map((profile) => ({
      host: profile.host,
      title: titleOf(profile),
    }));
    this.#tell(window, { type: 'profiles', here: readWindow(window).host, profiles });
  }

  #takeLinks(host: string, { links }: OpenedProfile): void {
    links.open((link) => this.#tell(`main@${host}`, { type: 'link', link }));
    const leftOut = links.forgetLeftOut();
    if (leftOut === 0) return;
    const body = `Too many links came at once: ${counted(leftOut, 'link was', 'links were')} left out.`;
    this.#shell.notify({ task: 'links', title: 'Posthaste', body }, () => undefined);
  }

  async #addByPage(): Promise<void> {
    const added = await this.#add(null);
    if (added === null)
      this.#shell.notify({ task: 'profiles', title: 'Posthaste', body: TOO_MANY }, () => undefined);
    else this.#showMain(added.host, serverPage);
  }

  /** Ends the session, and has the page take away what was stored: `#erased` goes on from there. */
  async #remove(profile: DesktopProfile): Promise<void> {
    const { host, server } = profile;
    const opened = this.#open(profile);
    if (opened.isLeaving) return;
    opened.isLeaving = true;
    const out = { method: 'POST', path: '/app/api/sign_out', headers: {}, body: null };
    // Without an answer the session stays in the list of sessions, and nobody here has it any more.
    await answerPage({ shell: this.#shell, cookies: opened.cookies, server }, out);
    await opened.cookies.forget();
    this.#shell.end(`quick@${host}`);
    this.#shell.go(`main@${host}`, originOf(host) + erasePage);
  }

  async #erased({ host }: DesktopProfile): Promise<void> {
    if (this.#opened.get(host)?.isLeaving !== true) return;
    const others = this.#settings.profiles.filter((other) => other.host !== host);
    const profiles = others.length > 0 ? others : [{ ...firstProfile, host: freshHost([], Date.now()) }];
    const isLast = this.#settings.last === host;
    const last = isLast ? (profiles[0]?.host ?? '') : this.#settings.last;
    await this.#keep({ ...this.#settings, profiles, last });
    this.#opened.delete(host);
    this.#tellProfiles();
    this.#isAsked = false;
    // The next one first: a program without windows ends.
    this.open(null);
    this.#shell.end(`main@${host}`);
  }

  #heed(kind: WindowKind, profile: DesktopProfile, message: PageMessage): void {
    const { host, server } = profile;
    const opened = this.#open(profile);
    const { cookies } = opened;
    const sockets = opened.sockets[kind];
    const window: WindowName = `${kind}@${host}`;
    switch (message.type) {
      case 'ready':
        if (kind === 'quick') this.#tell(window, { type: 'quick' });
        else {
          this.#takeLinks(host, opened);
          this.#updates.tell(window);
        }
        return;
      case 'connect':
        sockets.connect(message.socket, message.path, { server, cookies });
        return;
      case 'send':
        sockets.send(message.socket, message.text);
        return;
      case 'close':
        sockets.close(message.socket);
        return;
      case 'badge':
        opened.due = message.count;
        this.#shell.badge([...this.#opened.values()].reduce((sum, { due }) => sum + due, 0));
        this.#system.showTray();
        return;
      case 'notice':
        this.#shell.notify(message, () => {
          this.#showMain(host);
          this.#tell(`main@${host}`, { type: 'chosen', task: message.task });
        });
        return;
      case 'withdraw':
        this.#shell.withdraw(message.task);
        return;
      case 'selected':
        this.#keepSelected(message.text);
        for (const want of opened.wantSelected.splice(0)) want(message.text);
        return;
      case 'server':
        void this.chooseServer(host, message.address).then((problem) =>
          this.#tell(window, { type: 'server', problem }),
        );
        return;
      case 'look':
        void this.lookForUpdate(true);
        return;
      case 'install':
        void this.#updates.install();
        return;
      case 'done':
        this.#shell.hide(window);
        return;
      default:
        this.#heedOfProfiles(window, profile, message);
    }
  }

  #heedOfProfiles(
    window: WindowName,
    profile: DesktopProfile,
    message: Extract<
      PageMessage,
      {
        type:
          | 'who'
          | 'add'
          | 'switch'
          | 'remove'
          | 'erased'
          | 'menus'
          | 'keep'
          | 'spelling'
          | 'secret'
          | 'custom';
      }
    >,
  ): void {
    switch (message.type) {
      case 'who':
        if (message.name !== profile.name) void this.#change({ ...profile, name: message.name });
        this.#tellProfilesTo(window);
        void this.#system.say();
        return;
      case 'menus':
        this.#open(profile).menus = message.menus;
        this.#system.showMenus(profile.host);
        return;
      case 'keep':
        void this.#system.turn(message.what, message.isOn);
        return;
      case 'custom':
        void this.#system.openCustom();
        return;
      case 'secret':
        void this.#system.secret(window, message);
        return;
      case 'spelling':
        void this.#system.spell(message.languages);
        return;
      case 'add':
        void this.#addByPage();
        return;
      case 'switch':
        this.#openIn(message.host, null);
        return;
      case 'remove':
        void this.#remove(profile);
        return;
      case 'erased':
        void this.#erased(profile);
    }
  }
}
