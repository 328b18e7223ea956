// The windows of the Electron shell, each with one page of the app and nothing that a page doesn't need.
import { BrowserWindow, Menu, shell } from 'electron';
import { staysInApp } from '../app-files.ts';
import type { DesktopProgram } from '../program.ts';
import { readWindow, type WindowKind, type WindowName } from '../shell.ts';

const LOOKS = {
  main: { title: 'Posthaste', width: 1_180, height: 800 },
  quick: {
    title: 'New task – Posthaste',
    width: 680,
    height: 240,
    frame: false,
    alwaysOnTop: true,
    skipTaskbar: true,
    fullscreenable: false,
  },
} as const satisfies Record<WindowKind, Electron.BrowserWindowConstructorOptions>;

/** The windows that are open. */
export class Windows {
  readonly #open = new Map<WindowName, BrowserWindow>();
  readonly #menus = new Map<WindowName, Electron.Menu>();
  #zoom = 1;
  /** The program ends: no window stays unseen. */
  isQuitting = false;
  readonly #program: () => DesktopProgram;
  readonly #preload: string;

  constructor(program: () => DesktopProgram, preload: string) {
    this.#program = program;
    this.#preload = preload;
  }

  show(name: WindowName, page: string): void {
    const window = this.#open.get(name) ?? this.#make(name, page);
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Leads a window that is open to another page of ours. */
  go(name: WindowName, page: string): void {
    void this.#open.get(name)?.loadURL(page);
  }

  /** Ends a window and its page. */
  end(name: WindowName): void {
    this.#open.get(name)?.destroy();
  }

  close(name: WindowName): void {
    this.#open.get(name)?.close();
  }

  reload(name: WindowName): void {
    this.#open.get(name)?.webContents.reload();
  }

  /** How large pages are shown; 1: as they are. */
  zoom(level: number): void {
    this.#zoom = level;
    for (const { webContents } of this.#open.values()) webContents.setZoomFactor(level);
  }

  /** The menus of a window: those of the program while it is in front. */
  setMenus(name: WindowName, menu: Electron.Menu): void {
    this.#menus.set(name, menu);
    if (this.#open.get(name)?.isFocused() === true) Menu.setApplicationMenu(menu);
  }

  entitle(name: WindowName, title: string): void {
    this.#open.get(name)?.setTitle(title);
  }

  /** On macOS the whole app is hidden with the last window, so that the program before it has the focus again. */
  hide(name: WindowName): void {
    this.#open.get(name)?.hide();
  }

  tell(name: WindowName, text: string): void {
    this.#open.get(name)?.webContents.send('program', text);
  }

  /** Which window a page is in; null: none of ours. */
  nameOf(contents: Electron.WebContents): WindowName | null {
    for (const [name, window] of this.#open) if (window.webContents === contents) return name;
    return null;
  }

  #make(name: WindowName, page: string): BrowserWindow {
    const { kind, host } = readWindow(name);
    const window = new BrowserWindow({
      ...LOOKS[kind],
      show: false,
      webPreferences: {
        preload: this.#preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: true,
      },
    });
    this.#open.set(name, window);
    const { webContents: contents } = window;
    contents.on('will-navigate', (event) => {
      if (staysInApp(host, event.url)) return;
      event.preventDefault();
      this.#program().leave(name, event.url);
    });
    // What the program put above the window stays there.
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('focus', () => {
      this.#program().entered(name);
      const menu = this.#menus.get(name);
      if (menu) Menu.setApplicationMenu(menu);
    });
    contents.on('did-finish-load', () => contents.setZoomFactor(this.#zoom));
    contents.setWindowOpenHandler(({ url }) => {
      this.#program().leave(name, url);
      return { action: 'deny' };
    });
    contents.on('did-start-loading', () => this.#program().left(name));
    // What is unsaved is on the disk: a new page goes on from there.
    contents.on('render-process-gone', () => void contents.loadURL(page));
    window.on('close', (event) => {
      if (this.isQuitting || !this.#program().staysHidden(name)) return;
      event.preventDefault();
      window.hide();
    });
    window.on('closed', () => {
      this.#open.delete(name);
      this.#program().left(name);
    });
    void contents.loadURL(page);
    return window;
  }
}

/** Opens an address with another program. */
export function openExternal(address: string): void {
  void shell
    .openExternal(address)
    .catch((error: unknown) => console.warn(`Nothing opens ${address}.`, error));
}

/** Opens a file with the program that the person has for it. */
export async function openPath(path: string): Promise<void> {
  const problem = await shell.openPath(path);
  if (problem !== '') console.warn(`Nothing opens ${path}. ${problem}`);
}
