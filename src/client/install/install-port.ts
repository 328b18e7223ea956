// The platform's port for installing the app.

/**
 * `installed`: the app runs in its own window. `ask`: the browser has a prompt. `share`, `dock`: the person installs it
 * through a menu of an iPhone or iPad, or of Safari on a Mac. `none`: this browser cannot install it.
 */
export type InstallWay = 'installed' | 'ask' | 'share' | 'dock' | 'none';

/** Installs the app where the browser can. The platform implements it. */
export interface InstallPort {
  way(): InstallWay;
  /**
   * Shows the browser's prompt; must be called while a key or a press is handled. Resolves with whether the person
   * accepted.
   */
  ask(): Promise<boolean>;
  /** Registers for `web+posthaste:` links; null: the browser cannot, or does so for installed apps only. */
  readonly takeLinks: (() => void) | null;
}

/** For platforms where nothing can be installed. */
export const noInstall: InstallPort = {
  way: () => 'none',
  ask: () => Promise.resolve(false),
  takeLinks: null,
};
