// A shell of the desktop app under Node: real files, real requests and sockets, a keychain in memory. It shows no window, and notes what it was asked.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { Menu } from '#desktop/menus.ts';
import type { Notice, Shell, ShellSocket, TrayLook, WindowName } from '#desktop/shell.ts';

/** The keychain of a system: programs that start later find what earlier ones kept. */
export class MemoryKeychain {
  readonly kept = new Map<string, string>();
  /** The system has none that opens. */
  isLocked = false;

  read(name: string): Promise<string | null> {
    return Promise.resolve(this.isLocked ? null : (this.kept.get(name) ?? null));
  }

  write(name: string, text: string | null): Promise<boolean> {
    if (this.isLocked) return Promise.resolve(false);
    if (text === null) this.kept.delete(name);
    else this.kept.set(name, text);
    return Promise.resolve(true);
  }
}

const OWNER_ONLY = 0o600;

export class NodeShell implements Shell {
  readonly shown: string[] = [];
  readonly went: string[] = [];
  readonly ended: WindowName[] = [];
  readonly titles = new Map<WindowName, string>();
  readonly closed: WindowName[] = [];
  readonly reloaded: WindowName[] = [];
  readonly shownMenus = new Map<WindowName, readonly Menu[] | null>();
  /** Chooses an item of the menus that were shown last. */
  chooseItem: (id: string) => void = () => undefined;
  readonly zooms: number[] = [];
  trayLook: TrayLook | null = null;
  /** The desktop has a tray. */
  hasTray = true;
  quits = 0;
  startsWithSession = false;
  readonly autostart = {
    read: () => Promise.resolve(this.startsWithSession),
    write: (isOn: boolean) => Promise.resolve((this.startsWithSession = isOn) === isOn),
  };
  readonly openedFiles: string[] = [];
  /** As the command line asks. */
  answerLine: (line: string) => Promise<string> = () => Promise.resolve('');
  readonly hidden: WindowName[] = [];
  readonly told: { readonly window: WindowName; readonly message: unknown }[] = [];
  readonly external: string[] = [];
  readonly badges: number[] = [];
  readonly notices: Notice[] = [];
  readonly withdrawn: string[] = [];
  /** Presses the system-wide key; null: it was not taken. */
  press: (() => void) | null = null;
  /** Chooses the note that was shown last. */
  choose: () => void = () => undefined;
  /** Keys that other programs have. */
  readonly othersKeys = new Set<string>();
  readonly platform = 'debian';
  readonly keychain: MemoryKeychain;
  readonly #built: string;
  readonly #own: string;

  constructor(folders: { readonly built: string; readonly own: string }, keychain = new MemoryKeychain()) {
    this.#built = folders.built;
    this.#own = folders.own;
    this.keychain = keychain;
  }

  readBuilt(path: string): Promise<Uint8Array | null> {
    try {
      return Promise.resolve(new Uint8Array(readFileSync(join(this.#built, path))));
    } catch {
      return Promise.resolve(null);
    }
  }

  readOwn(name: string): Promise<string | null> {
    try {
      return Promise.resolve(readFileSync(join(this.#own, name), 'utf8'));
    } catch {
      return Promise.resolve(null);
    }
  }

  writeOwn(name: string, text: string): Promise<boolean> {
    mkdirSync(this.#own, { recursive: true });
    const path = join(this.#own, name);
    writeFileSync(`${path}.new`, text, { mode: OWNER_ONLY });
    chmodSync(`${path}.new`, OWNER_ONLY);
    renameSync(`${path}.new`, path);
    return Promise.resolve(true);
  }

  pathOf(name: string): string {
    return join(this.#own, name);
  }

  openOwn(name: string): void {
    this.openedFiles.push(name);
  }

  sha256(content: Uint8Array): Promise<string> {
    return Promise.resolve(createHash('sha256').update(content).digest('hex'));
  }

  keepUpdate(name: string, content: Uint8Array): Promise<string | null> {
    const path = join(this.#own, name);
    writeFileSync(path, content);
    return Promise.resolve(path);
  }

  openUpdate(path: string): Promise<boolean> {
    this.external.push(path);
    return Promise.resolve(true);
  }

  async ask({ method, address, headers, body }: Parameters<Shell['ask']>[0]): ReturnType<Shell['ask']> {
    try {
      const answer = await fetch(address, {
        method,
        headers,
        redirect: 'manual',
        ...(body !== null && { body: new Uint8Array(body) }),
      });
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        cookies: answer.headers.getSetCookie(),
        body: new Uint8Array(await answer.arrayBuffer()),
      };
    } catch {
      return null;
    }
  }

  connect(
    address: string,
    headers: Readonly<Record<string, string>>,
    on: Parameters<Shell['connect']>[2],
  ): ShellSocket {
    const socket = new WebSocket(address, { headers });
    socket.on('open', () => on.opened());
    socket.on('message', (data: Buffer) => on.heard(data.toString('utf8')));
    socket.on('close', () => on.closed());
    // It closes then, too.
    socket.on('error', () => undefined);
    return { send: (text) => socket.send(text), close: () => socket.close() };
  }

  show(window: WindowName, page: string): void {
    this.shown.push(`${window} ${page}`);
  }

  go(window: WindowName, page: string): void {
    this.went.push(`${window} ${page}`);
  }

  end(window: WindowName): void {
    this.ended.push(window);
  }

  close(window: WindowName): void {
    this.closed.push(window);
  }

  menus(window: WindowName, menus: readonly Menu[] | null, chosen: (id: string) => void): void {
    this.shownMenus.set(window, menus);
    this.chooseItem = chosen;
  }

  reload(window: WindowName): void {
    this.reloaded.push(window);
  }

  zoom(level: number): void {
    this.zooms.push(level);
  }

  /** There are words of English alone. */
  spell(languages: readonly string[] | null): readonly string[] {
    return (languages ?? ['en-US']).filter((language) => language.startsWith('en'));
  }

  tray(look: TrayLook | null): void {
    this.trayLook = look;
  }

  get isInTray(): boolean {
    return this.hasTray && this.trayLook !== null;
  }

  answerLines(answer: (line: string) => Promise<string>): void {
    this.answerLine = answer;
  }

  quit(): void {
    this.quits += 1;
  }

  entitle(window: WindowName, title: string): void {
    this.titles.set(window, title);
  }

  hide(window: WindowName): void {
    this.hidden.push(window);
  }

  tell(window: WindowName, text: string): void {
    this.told.push({ window, message: JSON.parse(text) });
  }

  openExternal(address: string): void {
    this.external.push(address);
  }

  takeKey(key: string | null, pressed: () => void): boolean {
    this.press = null;
    if (key === null) return true;
    if (this.othersKeys.has(key)) return false;
    this.press = pressed;
    return true;
  }

  badge(count: number): void {
    this.badges.push(count);
  }

  notify(notice: Notice, chosen: () => void): void {
    this.notices.push(notice);
    this.choose = chosen;
  }

  withdraw(task: string): void {
    this.withdrawn.push(task);
  }
}
