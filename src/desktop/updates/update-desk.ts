// Newer versions in the running program: when it asks, what its person is told, and what they do about it.
import { buildFile } from '../app-files.ts';
import type { Shell, WindowName } from '../shell.ts';
import { type Build, readBuild } from './build.ts';
import { updateNote, Updates } from './updates.ts';

/** From 0 to 99. */
const placeByChance = () => Math.floor(Math.random() * 100);

export interface UpdateDeskPorts {
  readonly shell: Shell;
  /** The origin of the server that is asked; null: none is chosen. */
  readonly server: () => string | null;
  /** The windows that may say it. */
  windows(): readonly WindowName[];
  /** Tells a page that this version is ready. */
  tell(window: WindowName, version: string): void;
}

/** `begin` comes first. */
export class UpdateDesk {
  readonly #ports: UpdateDeskPorts;
  #running: { readonly updates: Updates; readonly build: Build } | null = null;
  /** The version that is ready to be installed. */
  #ready: string | null = null;

  constructor(ports: UpdateDeskPorts) {
    this.#ports = ports;
  }

  async begin(): Promise<void> {
    const { shell, server } = this.#ports;
    const build = readBuild(await shell.readBuilt(buildFile), shell.platform);
    this.#running = { build, updates: new Updates({ shell, build, server, chance: placeByChance }) };
  }

  /** `isAsked`: the person wants to know now. */
  async look(isAsked: boolean): Promise<void> {
    if (this.#running === null) return;
    const { updates, build } = this.#running;
    const state = await updates.look(isAsked);
    if (state.type === 'ready') this.#ready = state.version;
    for (const window of this.#ports.windows()) this.tell(window);
    if (!isAsked && state.type !== 'ready') return;
    const body = updateNote(state, build);
    this.#ports.shell.notify({ task: 'update', title: 'Posthaste', body }, () => void this.install());
  }

  /** Says to a page that is ready which version is. */
  tell(window: WindowName): void {
    if (this.#ready !== null) this.#ports.tell(window, this.#ready);
  }

  async install(): Promise<void> {
    if (this.#ready === null || (await this.#running?.updates.install()) === true) return;
    const body =
      'Nothing on this system opens the new version. It’s in the folder “updates” beside your settings.';
    this.#ports.shell.notify({ task: 'update', title: 'Posthaste', body }, () => undefined);
  }
}
