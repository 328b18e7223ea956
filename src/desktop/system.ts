// What the program does of the system for all windows: menus, sizes, spelling, the tray, the start with the session, keys in the keychain and the file
// with the person's own code.
import { customFile } from './app-files.ts';
import type { PageMessage, ProgramMessage } from './messages.ts';
import { trayItems, trayTitle, wholeMenus, zoomed } from './menus.ts';
import type { OpenedProfile } from './opened-profile.ts';
import type { DesktopSettings } from './settings.ts';
import { readWindow, type Shell, type WindowName } from './shell.ts';

/** What a new file has, so that the first step is small. */
const CUSTOM_TEMPLATE = [
  '// Your own code for Posthaste. It can see and change every task, so paste nothing here that you don’t understand.',
  '// What it can do: “Custom JavaScript” among the guides, which the command palette finds.',
  'export default ({ commands, say }) => {',
  '  commands.register({',
  "    id: 'custom.hello',",
  "    title: 'Say hello',",
  '    run: (selected) => say(`Hello from your own code. Selected: ${selected.length}`),',
  '  });',
  '};',
  '',
].join('\n');

/** What it needs of the program around it. */
export interface SystemPorts {
  readonly shell: Shell;
  readonly opened: ReadonlyMap<string, OpenedProfile>;
  settings(): DesktopSettings;
  keep(settings: DesktopSettings): Promise<void>;
  tell(window: WindowName, message: ProgramMessage): void;
  /** An item was chosen; null: in no window. */
  choose(window: WindowName | null, id: string): void;
}

export class SystemDesk {
  readonly #ports: SystemPorts;
  readonly #shell: Shell;
  /** Languages in which spelling is checked. */
  #spelling: readonly string[] = [];

  constructor(ports: SystemPorts) {
    this.#ports = ports;
    this.#shell = ports.shell;
  }

  /** As the settings say. */
  begin(): void {
    const { zoom, spelling } = this.#ports.settings();
    this.#shell.zoom(zoom);
    this.#spelling = this.#shell.spell(spelling);
    this.showTray();
  }

  /** Makes pages larger, smaller, or as they were. */
  zoom(step: number): void {
    const settings = this.#ports.settings();
    const zoom = zoomed(settings.zoom, step);
    this.#shell.zoom(zoom);
    void this.#ports.keep({ ...settings, zoom });
  }

  showTray(): void {
    const due = [...this.#ports.opened.values()].reduce((sum, opened) => sum + opened.due, 0);
    const chosen = (id: string) => this.#ports.choose(null, id === '' ? 'tray.open' : id);
    this.#shell.tray(
      this.#ports.settings().tray ? { title: trayTitle(due), items: trayItems, chosen } : null,
    );
  }

  showMenus(host: string): void {
    const opened = this.#ports.opened.get(host);
    if (!opened || opened.menus.length === 0) return;
    const menus = this.#ports.settings().menuBar ? wholeMenus(opened.menus) : null;
    this.#shell.menus(`main@${host}`, menus, (id) => this.#ports.choose(`main@${host}`, id));
  }

  async turn(what: 'menuBar' | 'tray' | 'autostart', isOn: boolean): Promise<void> {
    if (what === 'autostart') await this.#shell.autostart?.write(isOn);
    else await this.#ports.keep({ ...this.#ports.settings(), [what]: isOn });
    if (what === 'tray') this.showTray();
    if (what === 'menuBar') for (const host of this.#ports.opened.keys()) this.showMenus(host);
    await this.say();
  }

  async spell(languages: readonly string[] | null): Promise<void> {
    this.#spelling = this.#shell.spell(languages);
    await this.#ports.keep({ ...this.#ports.settings(), spelling: languages && [...languages] });
    await this.say();
  }

  async say(): Promise<void> {
    const { menuBar, tray } = this.#ports.settings();
    const file = this.#shell.pathOf(customFile);
    const autostart = (await this.#shell.autostart?.read()) ?? null;
    for (const host of this.#ports.opened.keys())
      this.#ports.tell(`main@${host}`, {
        type: 'system',
        menuBar,
        tray,
        autostart,
        spelling: this.#spelling,
        customFile: file,
      });
  }

  async openCustom(): Promise<void> {
    if ((await this.#shell.readOwn(customFile)) === null)
      await this.#shell.writeOwn(customFile, CUSTOM_TEMPLATE);
    this.#shell.openOwn(customFile);
    await this.say();
  }

  /** Keys of one profile are told apart from those of others by its host. */
  async secret(
    window: WindowName,
    { id, name, text }: Extract<PageMessage, { type: 'secret' }>,
  ): Promise<void> {
    const { keychain } = this.#shell;
    const entry = `key ${readWindow(window).host} ${name}`;
    const isKept = text !== undefined && (await keychain.write(entry, text));
    const read = text === undefined ? await keychain.read(entry) : null;
    this.#ports.tell(window, { type: 'secret', id, text: read, isKept });
  }
}
