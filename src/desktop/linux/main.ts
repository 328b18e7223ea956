// The desktop app on Linux: `gjs -m main.js [--server address] [--safe] [--hidden] [--verbose] [link …]`. A second start hands its links to the first.
import Gdk from 'gi://Gdk?version=3.0';
import GLib from 'gi://GLib?version=2.0';
import Gio from 'gi://Gio?version=2.0';
import Gtk from 'gi://Gtk?version=3.0';
import { ownFiles } from '../app-files.ts';
import { isLink } from '../link-queue.ts';
import { DesktopProgram } from '../program.ts';
import type { OwnItem } from '../menus.ts';
import type { Shell, TrayLook } from '../shell.ts';
import { createAutostart } from './autostart.ts';
import { laterOrNull } from './async.ts';
import { readFile, writeContent, writePrivate } from './disk.ts';
import { takeKey } from './global-key.ts';
import { keychain } from './keychain.ts';
import { ask, connect } from './network.ts';
import { answerLines } from './line-socket.ts';
import { lookTimes } from '../updates/updates.ts';
import { Pages } from './pages.ts';
import { Tray } from './tray.ts';

const ID = 'app.posthaste.Desktop';
/** The folder of this file: the built app lies beside it. */
const here = import.meta.url.replace(/^file:\/\//, '').replace(/\/[^/]*$/, '');
const own = `${GLib.get_user_data_dir()}/posthaste`;
const updatesFolder = `${own}/updates`;
const cache = `${GLib.get_user_cache_dir()}/posthaste`;

interface Given {
  readonly server: string | null;
  readonly isVerbose: boolean;
  readonly isHidden: boolean;
  /** Without custom code and CSS. */
  readonly isSafe: boolean;
  readonly links: readonly string[];
}

function readArguments(args: readonly string[]): Given {
  const at = args.indexOf('--server');
  return {
    server: at < 0 ? null : (args[at + 1] ?? null),
    isVerbose: args.includes('--verbose'),
    isHidden: args.includes('--hidden'),
    isSafe: args.includes('--safe'),
    links: args.filter(isLink),
  };
}

const pathOf = (file: string) =>
  decodeURIComponent(ownFiles.has(file) ? `${here}/${file}` : `${here}/app/${file}`);

/** The dock shows it where it knows the launcher entries of Unity, as those of GNOME and KDE do. */
function badge(application: Gtk.Application, count: number): void {
  const values = {
    count: new GLib.Variant('x', count),
    'count-visible': new GLib.Variant('b', count > 0),
  };
  application
    .get_dbus_connection()
    ?.emit_signal(
      null,
      '/app/posthaste/Desktop',
      'com.canonical.Unity.LauncherEntry',
      'Update',
      new GLib.Variant('(sa{sv})', [`application://${ID}.desktop`, values]),
    );
}

/** The icon in the tray as it is wanted now. */
function followTray(application: Gtk.Application, tray: Tray | null, look: TrayLook | null): Tray | null {
  const bus = application.get_dbus_connection();
  if (look === null || bus === null) {
    tray?.end();
    return null;
  }
  tray?.say(look.title);
  return tray ?? new Tray(bus, look);
}

/** Whether Shift is held at this moment. */
function isShiftHeld(): boolean {
  const display = Gdk.Display.get_default();
  return (
    display !== null &&
    (Gdk.Keymap.get_for_display(display).get_modifier_state() & Gdk.ModifierType.SHIFT_MASK) !== 0
  );
}

/** Opens an address with another program. False: none does. */
async function launch(address: string): Promise<boolean> {
  const isOpened = await laterOrNull(
    (done: (source: unknown, result: Gio.AsyncResult) => void) =>
      Gio.AppInfo.launch_default_for_uri_async(address, null, null, done),
    (result) => Gio.AppInfo.launch_default_for_uri_finish(result),
  );
  if (isOpened !== true) console.warn(`Nothing opens ${address}.`);
  return isOpened === true;
}

function createShell(application: Gtk.Application, pages: () => Pages): Shell {
  const chosen = new Map<string, () => void>();
  const action = new Gio.SimpleAction({ name: 'chosen', parameter_type: new GLib.VariantType('s') });
  action.connect('activate', (_action, task) => chosen.get(task?.deepUnpack() ?? '')?.());
  application.add_action(action);
  let tray: Tray | null = null;
  return {
    platform: 'debian',
    keychain,
    ask,
    connect,
    takeKey,
    answerLines,
    readBuilt: (path) => readFile(pathOf(path)),
    async readOwn(name) {
      const content = await readFile(`${own}/${name}`);
      return content === null ? null : new TextDecoder().decode(content);
    },
    writeOwn: (name, text) => writePrivate(own, name, text),
    pathOf: (name) => `${own}/${name}`,
    openOwn: (name) => void launch(Gio.File.new_for_path(`${own}/${name}`).get_uri()),
    sha256(content) {
      const bytes = new GLib.Bytes(content);
      return Promise.resolve(GLib.compute_checksum_for_bytes(GLib.ChecksumType.SHA256, bytes));
    },
    keepUpdate: async (name, content) =>
      (await writeContent(updatesFolder, name, content)) ? `${updatesFolder}/${name}` : null,
    openUpdate: (path) => launch(`file://${path}`),
    show: (window, page) => pages().show(window, page),
    go: (window, page) => pages().go(window, page),
    end: (window) => pages().end(window),
    entitle: (window, title) => pages().entitle(window, title),
    hide: (window) => pages().hide(window),
    tell: (window, text) => pages().tell(window, text),
    close: (window) => pages().close(window),
    menus: (window, menus, picked) => pages().setMenus(window, menus, picked),
    reload: (window) => pages().reload(window),
    zoom: (level) => pages().zoom(level),
    spell: (languages) => pages().spell(languages),
    tray(look) {
      tray = followTray(application, tray, look);
    },
    get isInTray() {
      return tray?.isShown ?? false;
    },
    autostart: createAutostart(ID, `${decodeURIComponent(here)}/main.js`),
    quit: () => application.quit(),
    openExternal: (address) => void launch(address),
    badge: (count) => badge(application, count),
    notify({ task, title, body }, then) {
      chosen.set(task, then);
      const notification = Gio.Notification.new(title);
      notification.set_body(body);
      notification.set_default_action_and_target('app.chosen', new GLib.Variant('s', task));
      application.send_notification(task, notification);
    },
    withdraw(task) {
      chosen.delete(task);
      application.withdraw_notification(task);
    },
  };
}

/** Keys of the window that the page can't have: what they do is the program's. */
const KEYS: readonly (readonly [id: OwnItem, keys: readonly string[]])[] = [
  ['program.reload', ['F5']],
  ['program.server', ['<Control><Shift>s']],
  ['program.larger', ['<Control>plus', '<Control>equal']],
  ['program.smaller', ['<Control>minus']],
  ['program.actualSize', ['<Control>0']],
];

function addKeys(application: Gtk.Application, run: (id: OwnItem) => void): void {
  for (const [id, keys] of KEYS) {
    const name = id.replace('.', '-');
    const action = new Gio.SimpleAction({ name });
    action.connect('activate', () => run(id));
    application.add_action(action);
    application.set_accels_for_action(`app.${name}`, keys);
  }
}

/**
 * Whether WebKit can fence its processes in. It does that with bubblewrap, and ends the program where the system lets nobody make
 * namespaces: there the app, whose pages are its own files, opens without the fence.
 */
function canFence(): boolean {
  if (GLib.get_user_name() === 'root') return false;
  try {
    const [, , , status] = GLib.spawn_command_line_sync('bwrap --unshare-user --ro-bind / / true');
    if (status === 0) return true;
  } catch {
    // It isn't installed.
  }
  console.warn('WebKit runs without its sandbox: this system doesn’t let bubblewrap make namespaces.');
  return false;
}

/** Runs until its last window is closed. Returns the exit code. */
function run(args: readonly string[]): number {
  GLib.set_prgname(ID);
  GLib.set_application_name('Posthaste');
  const application = new Gtk.Application({
    application_id: ID,
    flags: Gio.ApplicationFlags.HANDLES_COMMAND_LINE,
  });
  let pages: Pages | null = null;
  const opened = (): Pages => {
    if (pages === null) throw new Error('The program has not started.');
    return pages;
  };
  const start = async ({ server, isVerbose, isSafe }: Given): Promise<DesktopProgram> => {
    const started = new DesktopProgram(createShell(application, opened));
    pages = new Pages(application, started, {
      data: `${own}/pages`,
      cache: `${cache}/pages`,
      downloads: GLib.get_user_special_dir(GLib.UserDirectory.DIRECTORY_DOWNLOAD) ?? GLib.get_home_dir(),
      isVerbose,
      isSandboxed: canFence(),
    });
    await started.start(server, { isSafe: isSafe || isShiftHeld() });
    setTimeout(() => void started.lookForUpdate(), lookTimes.firstMs);
    setInterval(() => void started.lookForUpdate(), lookTimes.againMs);
    return started;
  };
  let starting: Promise<DesktopProgram> | null = null;
  application.connect('command-line', (_application, line) => {
    const given = readArguments(line.get_arguments().slice(1));
    application.hold();
    const isFirst = starting === null;
    starting ??= start(given);
    starting
      .then((started) => {
        if (given.isHidden) {
          if (isFirst) started.openHidden();
          return;
        }
        for (const link of given.links) started.open(link);
        if (given.links.length === 0) started.open(null);
      })
      .catch((error: unknown) => {
        console.warn('The app could not start.', error);
        application.quit();
      })
      .finally(() => application.release());
    return 0;
  });
  application.connect('startup', () => addKeys(application, (id) => pages?.choose(id)));
  application.connect('shutdown', () => pages?.leaveAll());
  return application.run([ID, ...args]);
}

run(ARGV);
