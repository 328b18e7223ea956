// What the app's network needs of a browser (fetch with a base address and cookies, sockets, a window that comes online),
// for running it as it is under Node.
import { WebSocket } from 'ws';

export interface HeadlessBrowser {
  /** The moment at which a browser says that the network is back. */
  comeOnline(): void;
  /** Makes everything as it was. */
  restore(): void;
}

/** For one address and one session (`name=value`) at a time: these are globals of the process. */
export function actAsBrowser(address: string, cookie: string): HeadlessBrowser {
  const names = ['fetch', 'WebSocket', 'location', 'window', 'document'] as const;
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  const original = globalThis.fetch;
  const target = new EventTarget();
  class PageSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { cookie, origin: address } });
      // A socket that fails also closes, which is what the app waits for.
      this.on('error', () => undefined);
    }
  }
  const values: Record<(typeof names)[number], unknown> = {
    fetch: (path: string, init: RequestInit = {}) =>
      original(new URL(path, address), {
        ...init,
        headers: { ...(init.headers as Record<string, string>), origin: address, cookie },
      }),
    WebSocket: PageSocket,
    location: new URL('/app/', address),
    window: target,
    document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
  };
  for (const name of names)
    Object.defineProperty(globalThis, name, { value: values[name], configurable: true, writable: true });
  return {
    comeOnline: () => void target.dispatchEvent(new Event('online')),
    restore() {
      for (const [name, descriptor] of before) {
        if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, descriptor);
      }
    },
  };
}
