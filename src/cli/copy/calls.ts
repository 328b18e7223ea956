// The calls of the public API, answered from the copy of a run that has the key: by the very handlers that a server has (api/), so that a call
// means what it means there. What only a server can answer goes on to it.
import { setImmediate } from 'node:timers';
import type { Id } from '#core/ids.ts';
import { apiCalls, type Handler } from '#api/calls.ts';
import { createHandlerContext } from '#api/handler-context.ts';
import type { ApiActor, ApiAnswer } from '#api/ports.ts';
import { noSealedRuns } from '#api/macros.ts';
import { isProblem } from '#api/problem.ts';
import { foundIn, tableOf } from '#api/searching.ts';
import type { Row } from '#sync/rows/row.ts';
import type { RowTable } from '#sync/query/row-table.ts';
import type { ApiRequest, ApiResponse } from '#wire/api/client-core.ts';
import type { CopySelf } from '#wire/api/copy.ts';
import { endpoints, type Endpoint } from '#wire/api/endpoints.ts';
import type { ApiMacro } from '#wire/api/objects.ts';
import type { ErrorCode } from '#wire/api/error-codes.ts';
import type { World } from '../world.ts';
import type { Copy } from './copy.ts';
import type { CopyDisk } from './disk.ts';

/** Of the codes that calls refuse with. */
const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  encrypted: 409,
  too_large: 413,
};
const INVALID = 422;

const noHeaders = { get: () => null };

function responseOf(answered: ApiAnswer): ApiResponse {
  if (!isProblem(answered)) {
    const text = JSON.stringify({ success: true, ...answered.body });
    return { status: answered.status, headers: noHeaders, text: () => Promise.resolve(text) };
  }
  const { problem: code, message, field } = answered;
  const body = { success: false, error: message, message, code, ...(field === undefined ? {} : { field }) };
  return {
    status: STATUSES[code] ?? INVALID,
    headers: noHeaders,
    text: () => Promise.resolve(JSON.stringify(body)),
  };
}

const noRuns: Handler = () => Promise.resolve(noSealedRuns);

/** Macros as they are here, of which programs may run none. */
const listingOf =
  (list: Handler): Handler =>
  async (call) => {
    const answered = await list(call);
    if (isProblem(answered)) return answered;
    const { macros = [] } = answered.body as { readonly macros?: readonly ApiMacro[] };
    return {
      ...answered,
      body: { ...answered.body, macros: macros.map((each) => ({ ...each, can_run: false })) },
    };
  };

interface Found {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

/** The call that a request is; null: none that is answered here. */
function callAt(method: string, path: string, names: readonly string[]): Found | null {
  const parts = path.split('/');
  for (const name of names) {
    const endpoint: Endpoint = endpoints[name as keyof typeof endpoints];
    const wanted = endpoint.path.split('/');
    if (endpoint.method !== method || wanted.length !== parts.length) continue;
    if (!wanted.every((part, at) => part.startsWith(':') || part === parts[at])) continue;
    const params = wanted.flatMap((part, at) =>
      part.startsWith(':') ? [[part.slice(1), decodeURIComponent(parts[at] ?? '')] as const] : [],
    );
    return { name, endpoint, params: Object.fromEntries(params) };
  }
  return null;
}

/** What answering needs besides the copy. */
export interface CallPorts {
  readonly copy: Copy;
  readonly disk: Pick<CopyDisk, 'close'>;
  readonly self: CopySelf;
  readonly world: Pick<World, 'now' | 'newId'>;
}

/** Answers calls from a copy, one after the other. */
export class CopyCalls {
  readonly #ports: CallPorts;
  readonly #handlers: Readonly<Record<string, Handler>>;
  #table: { readonly version: number; readonly table: RowTable } | null = null;
  /** The latest call: the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: CallPorts) {
    this.#ports = ports;
    const { copy, world } = ports;
    const clock = { now: () => world.now(), monotonic: () => performance.now() };
    const context = createHandlerContext({
      plans: copy,
      reads: copy.rows,
      store: copy.rows,
      clock,
      newId: () => world.newId(),
      nextTurn: (work) => void setImmediate(work),
      searching: {
        find: (_, scopes, query) =>
          Promise.resolve(foundIn(this.#tableOf(scopes), (id) => copy.rows.row(id), query)),
      },
      mailIn: null,
      // Contents are encrypted, too: there is no address at which they could be read.
      fileLinks: { of: () => '' },
    });
    const calls = apiCalls(context);
    this.#handlers = {
      ...calls,
      listMacros: listingOf(calls.listMacros),
      createMacroRun: noRuns,
      getMacroRun: noRuns,
    };
  }

  /** Null: the server is to answer it. Rejects with a Failure. */
  answer(url: URL, base: string, request: ApiRequest): Promise<ApiResponse | null> {
    const path = url.pathname.slice(new URL(base).pathname.length);
    const found = callAt(request.method, path, Object.keys(this.#handlers));
    if (found === null) return Promise.resolve(null);
    const answered = this.#last.then(() => this.#handle(found, url, request));
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  async #handle(
    { name, endpoint, params }: Found,
    url: URL,
    { body }: ApiRequest,
  ): Promise<ApiResponse | null> {
    const { copy, self } = this.#ports;
    if ((endpoint.access ?? 'write') === 'write' && self.access === 'read')
      return responseOf({ problem: 'forbidden', message: "You're not allowed to do that." });
    await copy.bringUp();
    if (copy.isPlain) return null;
    const actor = this.#actor();
    const handler = this.#handlers[name];
    if (handler === undefined) throw new Error(`no handler for ${name}`);
    const answered = await handler({
      url,
      params,
      body: body === undefined ? undefined : JSON.parse(body),
      session: { session: { name: '' }, account: { created_at: self.accountSince } },
      account: () => actor,
    });
    return responseOf(answered);
  }

  /** Whether something of a shared list doesn't open: its key isn't there. */
  get hasLockedLists(): boolean {
    const { copy, self } = this.#ports;
    return copy.rows.lockedScopes.some((scope) => scope !== (self.scope as Id));
  }

  /** Ends what runs, and lets other runs have its disk. */
  async close(): Promise<void> {
    await this.#last;
    await this.#ports.copy.close();
    this.#ports.disk.close();
  }

  #actor(): ApiActor {
    const { copy, self } = this.#ports;
    const personalScope = self.scope as Id;
    return {
      account: self.account,
      session: personalScope,
      access: self.access,
      personalScope,
      roles: copy.rows.rolesOf(personalScope, self.account),
    };
  }

  #tableOf(scopes: readonly Id[]): RowTable {
    const { copy, self, world } = this.#ports;
    const { version } = copy.rows;
    if (this.#table?.version !== version) {
      const rows: Row[] = scopes.flatMap((scope) => [...copy.rows.ofScope(scope)]);
      const of = { account: self.account, personalScope: self.scope as Id };
      this.#table = { version, table: tableOf(of, rows, { now: () => world.now() }) };
    }
    return this.#table.table;
  }
}
