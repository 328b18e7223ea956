// The first script of the page in the desktop app: gives the page what browsers give an installed app, where the engine of the shell doesn't, and
// leads its sockets to the program. Everything else of the app knows of the desktop by `window.desktop` alone.
import { sendBytes } from './bodies.ts';
import { giveDropped } from './drops.ts';
import type { PageMessage, ProgramMessage } from '../messages.ts';

type Take = (params: { readonly targetURL: string }) => void;

interface Native {
  /** WebKit. */
  readonly webkit?: { readonly messageHandlers: { readonly posthaste: { postMessage(text: string): void } } };
  /** Electron. */
  readonly posthasteShell?: { send(text: string): void; listen(heard: (text: string) => void): void };
}

const native = window as unknown as Native;
/** Of the profile whose page this is. */
const origin = `${location.protocol}//${location.host}`;

function say(message: PageMessage): void {
  const text = JSON.stringify(message);
  if (native.posthasteShell) native.posthasteShell.send(text);
  else native.webkit?.messageHandlers.posthaste.postMessage(text);
}

let take: Take | null = null;
const links: string[] = [];
const targetOf = (link: string) => `${origin}/app/open?u=${encodeURIComponent(link)}`;

function followLink(link: string): void {
  if (take === null) links.push(link);
  else take({ targetURL: targetOf(link) });
}

/** Links that the system hands an installed app (LaunchQueue). */
const launchQueue = {
  setConsumer(consumer: Take) {
    take = consumer;
    for (const link of links.splice(0)) followLink(link);
    say({ type: 'ready' });
    if (!isSmall) console.info('The page listens.');
  },
};

const sockets = new Map<string, ShellSocket>();

/** A WebSocket that the program holds. */
class ShellSocket extends EventTarget {
  readonly #id = crypto.randomUUID();
  readyState: number = WebSocket.CONNECTING;

  constructor(path: string) {
    super();
    sockets.set(this.#id, this);
    say({ type: 'connect', socket: this.#id, path });
  }

  send(text: string): void {
    if (this.readyState === WebSocket.OPEN) say({ type: 'send', socket: this.#id, text });
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSING;
    say({ type: 'close', socket: this.#id });
  }

  heard(message: Extract<ProgramMessage, { readonly socket: string }>): void {
    if (message.type === 'text') {
      this.dispatchEvent(new MessageEvent('message', { data: message.text }));
      return;
    }
    this.readyState = message.type === 'opened' ? WebSocket.OPEN : WebSocket.CLOSED;
    if (message.type === 'closed') sockets.delete(this.#id);
    this.dispatchEvent(new Event(message.type === 'opened' ? 'open' : 'close'));
  }
}

const BrowserSocket = WebSocket;

/** Sockets of our own origin are the program's; there are no others, and the policy of the page would refuse them. */
const DesktopSocket = new Proxy(BrowserSocket, {
  construct(Target, [address, protocols]: [string | URL, (string | string[])?]) {
    const { href } = new URL(address, location.href);
    return href.startsWith(`${origin}/`)
      ? new ShellSocket(href.slice(origin.length))
      : new Target(address, protocols);
  },
});

const onChosen = new Set<(task: string) => void>();
let onServer: (problem: string | null) => void = () => undefined;
type SecretSaid = Extract<ProgramMessage, { readonly type: 'secret' }>;
const secrets = new Map<string, (said: SecretSaid) => void>();

function askSecret(name: string, text?: string | null): Promise<SecretSaid> {
  const id = crypto.randomUUID();
  return new Promise((resolve) => {
    secrets.set(id, resolve);
    say({ type: 'secret', id, name, text });
  });
}

type SystemSaid = Extract<ProgramMessage, { readonly type: 'system' }>;
const onSystem = new Set<(system: SystemSaid) => void>();
let system: SystemSaid | null = null;
const onRun = new Set<(command: string) => void>();
type Profiles = Extract<ProgramMessage, { readonly type: 'profiles' }>;
const onProfiles = new Set<(profiles: Profiles) => void>();
let profiles: Profiles | null = null;
let onUpdate: (version: string) => void = () => undefined;
let newer: string | null = null;
let openQuick: (() => void) | null = null;
let wantsQuick = false;
/** Quick entry is a page beside the other one, with nothing else in it. */
const isSmall = new URLSearchParams(location.search).has('quick');
/**
 * Keys go to the app: in the small window only while quick entry is open, because the lists are behind it, unseen, and no key may write in them.
 */
let takesKeys = !isSmall;
/** What is typed before quick entry is there goes into it. Null: it was closed. */
let typedEarly: string | null = '';

/** Holds back a key of the small window, and remembers what it types. */
function keepKeys(event: KeyboardEvent): void {
  // Esc writes nothing, and leads out of whatever is open.
  if (takesKeys || event.key === 'Escape') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // AltGr types characters, and is Ctrl+Alt for some systems.
  const isChord = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
  if (typedEarly === null || isChord) return;
  if (event.key === 'Backspace') typedEarly = [...typedEarly].slice(0, -1).join('');
  else if ([...event.key].length === 1) typedEarly += event.key;
}

/** Lets keys through once a field or button of a dialog has the focus: the dialog itself has it first. */
function letKeysIn({ target }: FocusEvent): void {
  if (typedEarly === null || !(target instanceof HTMLElement) || !target.closest('dialog')) return;
  const isField = target.matches('input, textarea');
  if (!isField && !target.matches('button')) return;
  takesKeys = true;
  if (isField && typedEarly !== '') document.execCommand('insertText', false, typedEarly);
  typedEarly = null;
  console.info('Quick entry listens.');
}

function showQuick(open: () => void): void {
  // It is there: the program asks again when the page is ready.
  if (takesKeys) return;
  typedEarly ??= '';
  open();
}

function heard(message: ProgramMessage): void {
  switch (message.type) {
    case 'link':
      followLink(message.link);
      return;
    case 'quick':
      if (openQuick) showQuick(openQuick);
      else wantsQuick = true;
      return;
    case 'server':
      onServer(message.problem);
      return;
    case 'profiles':
      profiles = message;
      for (const listener of onProfiles) listener(message);
      return;
    case 'system':
      system = message;
      for (const listener of onSystem) listener(message);
      return;
    case 'secret':
      secrets.get(message.id)?.(message);
      secrets.delete(message.id);
      return;
    case 'run':
      for (const listener of onRun) listener(message.command);
      return;
    case 'update':
      newer = message.version;
      onUpdate(newer);
      return;
    case 'dropped':
      void giveDropped(message);
      return;
    case 'chosen':
      for (const listener of onChosen) listener(message.task);
      return;
    default:
      sockets.get(message.socket)?.heard(message);
  }
}

/** What the app may ask of the desktop around it. */
export interface Desktop {
  say(message: PageMessage): void;
  /** The person chose a note of the system. The returned function ends it. */
  onChosen(listener: (task: string) => void): () => void;
  /** All profiles: now if they were said before, and whenever they change. The returned function ends it. */
  onProfiles(listener: (profiles: Profiles) => void): () => void;
  /** Keys of this page in the keychain of the system. Null: none of this name, or no keychain opens; false: none opens. */
  readonly keychain: {
    read(name: string): Promise<string | null>;
    write(name: string, text: string | null): Promise<boolean>;
  };
  /** Parts of the app that the client brings, which are then loaded. */
  onParts(add: (parts: readonly unknown[]) => void): void;
  /** As `onProfiles`, of what the program does. */
  onSystem(listener: (system: SystemSaid) => void): () => void;
  /** A command was chosen in a menu. The returned function ends it. */
  onRun(listener: (command: string) => void): () => void;
  /** Why the server that was chosen isn't taken; null: it is. */
  onServer(heard: (problem: string | null) => void): void;
  /** A newer version is ready to be installed: also one of which the program told before. */
  onUpdate(heard: (version: string) => void): void;
  /** Quick entry is to be opened: now if that was said before. */
  onQuick(open: () => void): void;
}

const desktop: Desktop = {
  say(message) {
    if (message.type === 'done') {
      takesKeys = false;
      typedEarly = null;
    }
    say(message);
  },
  keychain: {
    read: (name) => askSecret(name).then(({ text }) => text),
    write: (name, text) => askSecret(name, text).then(({ isKept }) => isKept),
  },
  onChosen(listener) {
    onChosen.add(listener);
    return () => onChosen.delete(listener);
  },
  onProfiles(listener) {
    onProfiles.add(listener);
    if (profiles) listener(profiles);
    return () => onProfiles.delete(listener);
  },
  onParts(add) {
    // Nothing runs twice.
    if (isSmall) return;
    const file = '/app/custom-code.js';
    import(/* @vite-ignore */ file).then(
      () => {
        const make = (globalThis as { readonly posthasteCustomCode?: () => unknown }).posthasteCustomCode;
        if (make) add([make()]);
        console.info('The page knows custom JavaScript.');
      },
      (error: unknown) => console.warn('The app has no custom JavaScript now.', error),
    );
  },
  onSystem(listener) {
    onSystem.add(listener);
    if (system) listener(system);
    return () => onSystem.delete(listener);
  },
  onRun(listener) {
    onRun.add(listener);
    return () => onRun.delete(listener);
  },
  onServer(listener) {
    onServer = listener;
  },
  onUpdate(listener) {
    onUpdate = listener;
    if (newer !== null) listener(newer);
  },
  onQuick(open) {
    openQuick = open;
    // Of an app that was made anew, after signing in elsewhere, nothing is open.
    takesKeys = !isSmall;
    if (wantsQuick) showQuick(open);
    wantsQuick = false;
  },
};

// Before the app listens.
if (isSmall) {
  window.addEventListener('keydown', keepKeys, { capture: true });
  window.addEventListener('focusin', letKeysIn, { capture: true });
}
if (native.webkit) sendBytes();
const heardText = (text: string) => heard(JSON.parse(text) as ProgramMessage);
// WebKit's shell runs a line of script, which dispatches an event.
if (native.posthasteShell) native.posthasteShell.listen(heardText);
else window.addEventListener('posthaste-shell', (event) => heardText((event as CustomEvent<string>).detail));
// Chromium has a queue of its own, which can't be assigned to.
Object.defineProperty(window, 'launchQueue', { value: launchQueue });
Object.assign(window, { desktop, WebSocket: DesktopSocket });
Object.assign(navigator, {
  setAppBadge: (count = 0) => Promise.resolve(say({ type: 'badge', count })),
  clearAppBadge: () => Promise.resolve(say({ type: 'badge', count: 0 })),
});
