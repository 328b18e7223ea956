// What installing the app asks of the platform.

/**
 * `installed`: it runs in a window of its own. `ask`: the browser has a question of its own. `share`, `dock`: the person
 * does it by a menu, of an iPhone or iPad, or of Safari on a Mac. `none`: this browser installs nothing.
 */
export type InstallWay = 'installed' | 'ask' | 'share' | 'dock' | 'none';

export interface InstallPort {
  way(): InstallWay;
  /** Has the browser ask, while a key or a press is answered. Whether the answer was yes. */
  ask(): Promise<boolean>;
  /** Has the browser offer to open `web+posthaste:` links here; null: it cannot, or does so for installed apps alone. */
  readonly takeLinks: (() => void) | null;
}

/** Where there is nothing to install. */
export const noInstall: InstallPort = {
  way: () => 'none',
  ask: () => Promise.resolve(false),
  takeLinks: null,
};
