// A CalDAV server of our own, in the dialects of three that people use: other prefixes, other paths, other ways to say the same. HTTPS on this
// machine, as the calendar server of files (calendar-server.ts).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeCertificate } from './push-service.ts';

/** Radicale: `DAV:` without a prefix. Nextcloud: `d:`, properties that are missing, escaped paths. iCloud: no prefix at all, and another host. */
export type Dialect = 'radicale' | 'nextcloud' | 'icloud';

export const USER = 'ann@example.org';
export const PASSWORD = 'app-pässword: 100%';

interface Kept {
  readonly etag: string;
  readonly file: string;
}

/** A calendar of the server. Names are those of files in it. */
export interface DavCollection {
  put(name: string, file: string): void;
  delete(name: string): void;
}

export interface CaldavServer {
  readonly ca: string;
  readonly origin: string;
  /** What was asked: `REPORT sync-collection`, in order. */
  readonly asked: string[];
  /** The calendars: `work`, `home`, and `tasks`, which holds no events. */
  readonly work: DavCollection;
  /** Answers instead of the server until it is called without: nothing, or what it does. */
  fault(answer?: (response: ServerResponse, body: string) => boolean | void): void;
  /** Forgets since when it could tell changes. */
  forgetTokens(): void;
  /** It knows no tokens, or neither these nor marks of whole calendars. */
  knows(what: 'tokens' | 'ctags' | 'nothing'): void;
  password: string;
  close(): Promise<void>;
}

const escaped = (given: string) =>
  given.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;');

interface Names {
  readonly dav: string;
  readonly caldav: string;
  readonly server: string;
  readonly root: string;
}

const D = 'DAV:';
const C = 'urn:ietf:params:xml:ns:caldav';
const S = 'http://calendarserver.org/ns/';

const NAMES: Readonly<Record<'radicale' | 'nextcloud', Names>> = {
  radicale: { dav: '', caldav: 'C:', server: 'CS:', root: `xmlns="${D}" xmlns:C="${C}" xmlns:CS="${S}"` },
  nextcloud: {
    dav: 'd:',
    caldav: 'cal:',
    server: 'cs:',
    root: `xmlns:d="${D}" xmlns:s="http://sabredav.org/ns" xmlns:cal="${C}" xmlns:cs="${S}" xmlns:oc="http://owncloud.org/ns"`,
  },
};

const PATHS: Readonly<
  Record<Dialect, { readonly start: string; readonly principal: string; readonly home: string }>
> = {
  radicale: { start: '/', principal: '/ann/', home: '/ann/' },
  nextcloud: {
    start: '/remote.php/dav/',
    principal: '/remote.php/dav/principals/users/ann/',
    home: '/remote.php/dav/calendars/ann%40example.org/',
  },
  icloud: { start: '/', principal: '/1234/principal/', home: '/1234/calendars/' },
};

class Server {
  readonly dialect: Dialect;
  readonly asked: string[] = [];
  readonly files = new Map<string, Map<string, Kept>>();
  readonly log: { readonly collection: string; readonly name: string }[] = [];
  firstToken = 0;
  known: 'tokens' | 'ctags' | 'nothing' = 'tokens';
  password = PASSWORD;
  fault: ((response: ServerResponse, body: string) => boolean | void) | undefined;
  /** Where the calendars are. */
  homeOrigin = '';
  #etag = 0;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
    for (const name of ['work', 'home', 'tasks']) this.files.set(name, new Map());
  }

  put(collection: string, name: string, file: string): void {
    this.#etag += 1;
    this.files.get(collection)?.set(name, { etag: `"${this.#etag}"`, file });
    this.log.push({ collection, name });
  }

  delete(collection: string, name: string): void {
    this.files.get(collection)?.delete(name);
    this.log.push({ collection, name });
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const path = request.url ?? '';
    const depth = String(request.headers['depth'] ?? '');
    const what =
      /<(?:\w+:)?(propfind|calendar-query|calendar-multiget|sync-collection)\b/.exec(body)?.[1] ?? '';
    this.asked.push(`${request.method} ${what} ${depth}`);
    const { start, principal, home } = PATHS[this.dialect];
    const expected = `Basic ${Buffer.from(`${USER}:${this.password}`).toString('base64')}`;
    if (this.fault !== undefined && this.fault(response, body) !== false) return;
    if (path === '/.well-known/caldav') return void response.writeHead(301, { location: start }).end();
    if (request.headers.authorization !== expected)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    if (path === start && start === principal)
      return this.#many(response, [[path, this.#who() + this.#homes()]]);
    if (path === start) return this.#many(response, [[path, this.#who()]]);
    if (path === home && depth === '1') return this.#many(response, this.#collections());
    if (path === principal || path === home)
      return this.#many(response, [[path, this.#who() + this.#homes()]]);
    const collection = this.#collectionAt(path);
    if (collection === null) return void response.writeHead(404).end();
    if (what === 'propfind') return this.#many(response, [[path, this.#state(collection)]]);
    return this.#report(response, { what, body, collection });
  }

  #report(
    response: ServerResponse,
    { what, body, collection }: { readonly what: string; readonly body: string; readonly collection: string },
  ): void {
    const files = this.files.get(collection) ?? new Map<string, Kept>();
    const hasData = body.includes('calendar-data');
    if (what === 'calendar-query')
      return this.#many(
        response,
        [...files].map(([name, kept]) => [this.#hrefOf(collection, name), this.#entry(kept, hasData)]),
      );
    if (what === 'calendar-multiget') {
      const names = [...body.matchAll(/href>([^<]*)</g)].map(([, href = '']) =>
        decodeURIComponent(href.split('/').at(-1) ?? ''),
      );
      return this.#many(
        response,
        names.map((name) => {
          const kept = files.get(name);
          return [this.#hrefOf(collection, name), kept === undefined ? null : this.#entry(kept, true)];
        }),
      );
    }
    const token = Number(/sync\/(\d+)/.exec(body)?.[1] ?? -1);
    if (this.known !== 'tokens' || token < this.firstToken) {
      const error = this.#element('d', 'error', this.#element('d', 'valid-sync-token', ''));
      return void response.writeHead(403, { 'content-type': 'application/xml' }).end(error);
    }
    const names = new Set(
      this.log.slice(token).flatMap((each) => (each.collection === collection ? [each.name] : [])),
    );
    this.#many(
      response,
      [...names].map((name) => {
        const kept = files.get(name);
        return [this.#hrefOf(collection, name), kept === undefined ? null : this.#entry(kept, false)];
      }),
      this.#token(),
    );
  }

  #collectionAt(path: string): string | null {
    const { home } = PATHS[this.dialect];
    const name = path.startsWith(home) ? path.slice(home.length).replace(/\/$/, '') : '';
    return this.files.has(name) ? name : null;
  }

  #hrefOf(collection: string, name: string): string {
    return `${PATHS[this.dialect].home}${collection}/${encodeURIComponent(name)}`;
  }

  #who(): string {
    const type = this.#element('d', 'resourcetype', this.#element('d', 'collection', ''));
    return (
      type +
      this.#element('d', 'current-user-principal', this.#element('d', 'href', PATHS[this.dialect].principal))
    );
  }

  #homes(): string {
    const { home } = PATHS[this.dialect];
    const href = this.dialect === 'icloud' ? this.homeOrigin + home : home;
    return this.#element('c', 'calendar-home-set', this.#element('d', 'href', href));
  }

  #collections(): readonly (readonly [href: string, props: string])[] {
    const { home } = PATHS[this.dialect];
    const own = this.#element('d', 'resourcetype', this.#element('d', 'collection', ''));
    return [
      [home, own],
      ...[...this.files.keys()].map((name) => [`${home}${name}/`, this.#state(name)] as const),
    ];
  }

  #state(name: string): string {
    const component = name === 'tasks' ? 'VTODO' : 'VEVENT';
    const types = this.#element('d', 'collection', '') + this.#element('c', 'calendar', '');
    const report = this.#element('d', 'report', this.#element('d', 'sync-collection', ''));
    return [
      this.#element('d', 'resourcetype', types),
      this.#element('d', 'displayname', name === 'work' ? 'Work &amp; more' : name),
      this.#element(
        'c',
        'supported-calendar-component-set',
        this.#element('c', 'comp', '', ` name="${component}"`),
      ),
      this.known === 'tokens' ? this.#element('d', 'sync-token', this.#token()) : '',
      this.known === 'nothing' ? '' : this.#element('s', 'getctag', String(this.log.length)),
      this.known === 'tokens'
        ? this.#element('d', 'supported-report-set', this.#element('d', 'supported-report', report))
        : '',
    ].join('');
  }

  #token(): string {
    return `http://example.org/sync/${this.log.length}`;
  }

  #entry({ etag, file }: Kept, hasData: boolean): string {
    const data = this.dialect === 'icloud' ? `<![CDATA[${file}]]>` : escaped(file);
    return (
      this.#element('d', 'getetag', escaped(etag)) +
      (hasData ? this.#element('c', 'calendar-data', data) : '')
    );
  }

  #element(space: 'd' | 'c' | 's', local: string, content: string, attributes = ''): string {
    if (this.dialect === 'icloud') {
      const namespace = { d: D, c: C, s: S }[space];
      return `<${local} xmlns="${namespace}"${attributes}>${content}</${local}>`;
    }
    const names = NAMES[this.dialect];
    const name = { d: names.dav, c: names.caldav, s: names.server }[space] + local;
    const root = local === 'multistatus' || local === 'error' ? ` ${names.root}` : '';
    return `<${name}${root}${attributes}>${content}</${name}>`;
  }

  /** Null: there is none. */
  #many(
    response: ServerResponse,
    entries: readonly (readonly [href: string, props: string | null])[],
    token = '',
  ): void {
    const responses = entries.map(([href, props]) => {
      const status = (code: string) => this.#element('d', 'status', `HTTP/1.1 ${code}`);
      const own = this.#element('d', 'href', href);
      if (props === null) return this.#element('d', 'response', own + status('404 Not Found'));
      const found = this.#element('d', 'propstat', this.#element('d', 'prop', props) + status('200 OK'));
      const missing =
        this.dialect === 'nextcloud'
          ? this.#element('d', 'propstat', this.#element('d', 'prop', '<oc:size/>') + status('404 Not Found'))
          : '';
      return this.#element('d', 'response', own + found + missing);
    });
    const last = token === '' ? '' : this.#element('d', 'sync-token', token);
    response
      .writeHead(207, { 'content-type': 'application/xml; charset=utf-8' })
      .end(
        `<?xml version="1.0" encoding="utf-8"?>\n${this.#element('d', 'multistatus', responses.join('\n') + last)}`,
      );
  }
}

export async function startCaldavServer(dialect: Dialect): Promise<CaldavServer> {
  const { key, cert } = makeCertificate();
  const server = new Server(dialect);
  const listen = async () => {
    const here = createServer({ key, cert }, (request, response) => void server.answer(request, response));
    await new Promise<void>((resolve) => {
      here.listen(0, '127.0.0.1', resolve);
    });
    return { here, origin: `https://127.0.0.1:${(here.address() as AddressInfo).port}` };
  };
  const [first, second] = [await listen(), await listen()];
  server.homeOrigin = second.origin;
  return {
    ca: cert,
    origin: first.origin,
    asked: server.asked,
    work: {
      put: (name, file) => server.put('work', name, file),
      delete: (name) => server.delete('work', name),
    },
    fault: (answer) => void (server.fault = answer && ((response, body) => answer(response, body))),
    forgetTokens: () => void (server.firstToken = server.log.length + 1),
    knows: (what) => void (server.known = what),
    get password() {
      return server.password;
    },
    set password(password) {
      server.password = password;
    },
    async close() {
      for (const { here } of [first, second]) {
        here.closeAllConnections();
        await new Promise((resolve) => {
          here.close(resolve);
        });
      }
    },
  };
}
