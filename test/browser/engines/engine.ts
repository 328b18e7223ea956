// What a journey needs of a browser engine, whichever it is: profiles of their own, keys that are really pressed, and a
// look at what stands on the page. Without a network means that the server is gone: every engine can do that.

/** A browser profile of its own with one window. */
export interface EngineWindow {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Presses and releases a key; modifiers stand before it: `Control+Enter`. */
  press(key: string): Promise<void>;
  /** Types text key by key. */
  type(text: string): Promise<void>;
  /** Runs a function that needs nothing around it in the page. */
  evaluate<T>(work: () => T | Promise<T>): Promise<T>;
  /** PNG. */
  screenshot(): Promise<Uint8Array>;
  /** Errors that the page reported, as far as this engine tells them. */
  problems(): Promise<readonly string[]>;
}

export interface Engine {
  readonly name: string;
  /** What the browser says of itself. */
  readonly version: string;
  open(): Promise<EngineWindow>;
  close(): Promise<void>;
}

/** The modifiers of `Control+Shift+k` and its key. */
export function partsOf(key: string): { readonly modifiers: readonly string[]; readonly key: string } {
  const parts = key.split('+');
  return { modifiers: parts.slice(0, -1), key: parts.at(-1) ?? '' };
}
