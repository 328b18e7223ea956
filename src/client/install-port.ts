// What installing the app asks of the platform.

export interface InstallPort {
  /** It runs in a window of its own, and gets every key. */
  isInstalled(): boolean;
  /** Lets the browser ask; must be called while a key or press is being answered. False: it does not offer it. */
  ask(): Promise<boolean>;
}

/** Where there is nothing to install. */
export const noInstall: InstallPort = {
  isInstalled: () => false,
  ask: () => Promise.resolve(false),
};
