// The desktop app in Electron: macOS first. The same program as on Linux; where the two differ stands in docs/desktop.md.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  app,
  globalShortcut,
  ipcMain,
  Menu,
  Notification,
  protocol,
  session,
  shell,
  type Tray,
} from 'electron';
import type { DesktopPlatform } from '#wire/releases/release.ts';
import { appScheme, ownFiles, readAddress } from '../app-files.ts';
import { isLink } from '../link-queue.ts';
import { DesktopProgram } from '../program.ts';
import type { Autostart, Shell } from '../shell.ts';
import { lookTimes } from '../updates/updates.ts';
import { createKeychain } from './keychain.ts';
import { answerLines, socketPath } from './line-socket.ts';
import { createMenu, followTray } from './menus.ts';
import { ask, connect } from './network.ts';
import { openExternal, openPath, Windows } from './windows.ts';

const OWNER_ONLY = 0o600;
const PLATFORMS: Readonly<Record<string, DesktopPlatform>> = { darwin: 'mac', win32: 'windows' };
/** An answer of our scheme that says that there was none. */
const NO_ANSWER = () => Response.error();

// A link may start the app: macOS says so before it is ready.
const early: string[] = [];
let program: DesktopProgram | null = null;
const take = (link: string) => {
  if (program === null) early.push(link);
  else program.open(link);
};
app.on('open-url', (event, link) => {
  event.preventDefault();
  take(link);
});

protocol.registerSchemesAsPrivileged([
  {
    scheme: appScheme,
    privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
  },
]);

const started = (): DesktopProgram => {
  if (program === null) throw new Error('The program has not started.');
  return program;
};

async function readOrNull(path: string): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await readFile(path));
  } catch {
    // There is none.
    return null;
  }
}

/** Electron's name of a key: `Ctrl+Alt+Space` is `Control+Alt+Space` there, and on a Mac Option. */
const acceleratorOf = (key: string) => key.replace('Ctrl', 'Control').replace('Enter', 'Return');

/** What the shell does with windows. */
const ofWindows = (windows: Windows) =>
  ({
    close: (window) => windows.close(window),
    menus: (window, menus, chosen) => windows.setMenus(window, createMenu(menus, chosen)),
    reload: (window) => windows.reload(window),
    zoom: (level) => windows.zoom(level),
    show: (window, page) => windows.show(window, page),
    go: (window, page) => windows.go(window, page),
    end: (window) => windows.end(window),
    entitle: (window, title) => windows.entitle(window, title),
    hide: (window) => windows.hide(window),
    tell: (window, text) => windows.tell(window, text),
  }) satisfies Partial<Shell>;

/** What the shell does with newer versions. `folder`: where they lie. */
const ofUpdates = (folder: string) =>
  ({
    sha256: (content) => Promise.resolve(createHash('sha256').update(content).digest('hex')),
    async keepUpdate(name, content) {
      const path = join(folder, name);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(`${path}.new`, content, { mode: OWNER_ONLY });
        await rename(`${path}.new`, path);
        return path;
      } catch (error) {
        console.warn('The new version could not be stored.', error);
        return null;
      }
    },
    // The system opens it: a disk image on a Mac, an installer on Windows.
    openUpdate: async (path) => (await shell.openPath(path)) === '',
  }) satisfies Partial<Shell>;

function createShell(windows: Windows): Shell {
  const own = app.getPath('userData');
  const notices = new Map<string, Notification>();
  let tray: Tray | null = null;
  return {
    ...ofWindows(windows),
    ...ofUpdates(join(own, 'updates')),
    autostart,
    answerLines: (answered) => void answerLines(socketPath(own), answered),
    spell,
    tray(look) {
      tray = followTray(tray, look);
    },
    get isInTray() {
      return tray !== null;
    },
    quit: () => app.quit(),
    platform: PLATFORMS[process.platform] ?? 'linux',
    keychain: createKeychain(join(own, 'sessions.json')),
    ask,
    connect,
    openExternal,
    readBuilt: (path) => readOrNull(join(app.getAppPath(), ...(ownFiles.has(path) ? [path] : ['app', path]))),
    async readOwn(name) {
      const content = await readOrNull(join(own, name));
      return content === null ? null : new TextDecoder().decode(content);
    },
    async writeOwn(name, text) {
      const path = join(own, name);
      try {
        await mkdir(own, { recursive: true });
        await writeFile(`${path}.new`, text, { mode: OWNER_ONLY });
        await rename(`${path}.new`, path);
        return true;
      } catch (error) {
        console.warn(`${name} could not be written.`, error);
        return false;
      }
    },
    pathOf: (name) => join(own, name),
    openOwn: (name) => void openPath(join(own, name)),
    takeKey(key, pressed) {
      globalShortcut.unregisterAll();
      if (key === null) return true;
      try {
        return globalShortcut.register(acceleratorOf(key), pressed);
      } catch {
        // No key of this keyboard.
        return false;
      }
    },
    badge: (count) => void app.setBadgeCount(count),
    notify({ task, title, body }, chosen) {
      const notice = new Notification({ title, body });
      notice.on('click', chosen);
      notices.get(task)?.close();
      notices.set(task, notice);
      notice.show();
    },
    withdraw(task) {
      notices.get(task)?.close();
      notices.delete(task);
    },
  };
}

async function answer(request: Request): Promise<Response> {
  const address = readAddress(request.url);
  if (address === null) return NO_ANSWER();
  const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
  const answered = await started().answer(address.host, {
    method: request.method,
    path: address.path,
    headers: Object.fromEntries(request.headers),
    body,
  });
  if (answered === null) return NO_ANSWER();
  const isEmpty = answered.status === 204 || answered.status === 304;
  return new Response(isEmpty ? null : new Uint8Array(answered.body), {
    status: answered.status,
    headers: answered.headers,
  });
}

/** Starting with the session: what macOS and Windows have for it. */
const autostart: Autostart | null =
  process.platform === 'linux'
    ? null
    : {
        read: () => Promise.resolve(app.getLoginItemSettings().openAtLogin),
        write(isOn) {
          app.setLoginItemSettings({ openAtLogin: isOn, args: ['--hidden'] });
          return Promise.resolve(app.getLoginItemSettings().openAtLogin === isOn);
        },
      };

/** As `Shell.spell`. On a Mac the system finds the language by itself. */
function spell(languages: readonly string[] | null): readonly string[] {
  const { defaultSession } = session;
  const known = new Set(defaultSession.availableSpellCheckerLanguages);
  const asked = languages ?? app.getPreferredSystemLanguages();
  const found = asked.filter((language) => known.has(language));
  if (process.platform !== 'darwin') defaultSession.setSpellCheckerLanguages(found);
  return found;
}

/** The address of the server that was given at the start. */
function givenServer(args: readonly string[]): string | null {
  const at = args.indexOf('--server');
  return at < 0 ? null : (args[at + 1] ?? null);
}

async function start(): Promise<void> {
  await app.whenReady();
  const windows = new Windows(started, join(app.getAppPath(), 'preload.js'));
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, permission, decide) =>
    decide(permission === 'clipboard-sanitized-write' || permission === 'clipboard-read'),
  );
  Menu.setApplicationMenu(createMenu(null, () => undefined));
  app.on('before-quit', () => (windows.isQuitting = true));
  protocol.handle(appScheme, answer);
  ipcMain.on('page', (event, text: string) => {
    const name = windows.nameOf(event.sender);
    if (name !== null) started().heard(name, text);
  });
  const begun = new DesktopProgram(createShell(windows));
  await begun.start(givenServer(process.argv), { isSafe: process.argv.includes('--safe') });
  program = begun;
  setTimeout(() => void begun.lookForUpdate(), lookTimes.firstMs);
  setInterval(() => void begun.lookForUpdate(), lookTimes.againMs);
  const links = [...early, ...process.argv.filter(isLink)];
  if (process.argv.includes('--hidden')) begun.openHidden();
  else begun.open(null);
  for (const link of links) begun.open(link);
}

if (app.requestSingleInstanceLock()) {
  app.setAsDefaultProtocolClient('posthaste');
  app.setAsDefaultProtocolClient('web+posthaste');
  app.on('second-instance', (_event, args) => {
    const links = args.filter(isLink);
    for (const link of links) take(link);
    if (links.length === 0) program?.open(null);
  });
  app.on('activate', () => program?.open(null));
  app.on('window-all-closed', () => {
    // On a Mac the app stays, for its key and its links.
    if (process.platform !== 'darwin') app.quit();
  });
  start().catch((error: unknown) => {
    console.error(error);
    app.exit(1);
  });
} else app.quit();
