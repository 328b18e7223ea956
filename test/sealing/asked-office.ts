// The routes of a server as the devices of one account see them, by their addresses: however a request gets there.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Transport } from '#sync/replica/ports.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import { madeOf, takenOf } from '#sync/sealing/told.ts';
import type { ListServer, SealingFailure, SealingServer } from '#sync/sealing/ports.ts';
import {
  fileFormedSchema,
  listMembersSchema,
  MOVED_IS_TOLD,
  reencodedSchema,
  sealingLeftSchema,
  sealingSchema,
} from '#wire/sealing.ts';
import { partPageSchema, syncResponseSchema } from '#wire/sync.ts';
import type { Office } from './sealed-device.ts';

interface Schema<T> {
  parse(value: unknown): T;
}

const TYPES: Readonly<Record<string, SealingFailure['type']>> = {
  confirm_first: 'unconfirmed',
  moved: 'moved',
  unfinished: 'unfinished',
};

/** An answer; null: there was none, whether or not the request was carried out. */
export type Answered = { readonly status: number; readonly body: unknown } | null;

/** The office of one account. */
export class AskedOffice implements Office {
  readonly account: number;
  readonly scope: Id;
  readonly #ask: (path: string, body?: unknown) => Promise<Answered>;

  constructor(of: {
    readonly account: number;
    readonly scope: Id;
    readonly ask: (path: string, body?: unknown) => Promise<Answered>;
  }) {
    this.account = of.account;
    this.scope = of.scope;
    this.#ask = of.ask;
  }

  async #about<T>(schema: Schema<T>, path: string, body?: unknown): Promise<Result<T, SealingFailure>> {
    const answer = await this.#ask(`/sealing/v1${path}`, body);
    if (answer === null) return failed({ type: 'offline', message: 'No answer.' });
    if (answer.status === 200) return ok(schema.parse(answer.body));
    const { code } = answer.body as { readonly code: string };
    return failed({ type: TYPES[code] ?? 'refused', message: code });
  }

  readonly routes: SealingServer = {
    read: () => this.#about(sealingSchema, ''),
    step: async (step) => madeOf(await this.#about(sealingSchema, `/step?${MOVED_IS_TOLD}`, step)),
    changeWraps: (change) => this.#about(sealingSchema, '/wraps', change),
    tell: async (directory) =>
      madeOf(await this.#about(sealingSchema, `/directory?${MOVED_IS_TOLD}`, { directory })),
    left: (after, limit, list) =>
      this.#about(
        sealingLeftSchema,
        `/left?limit=${limit}${after === null ? '' : `&after=${after}`}${list === undefined ? '' : `&list=${list}`}`,
      ),
    reencode: async (request) =>
      takenOf(await this.#about(reencodedSchema, `/reencode?${MOVED_IS_TOLD}`, request)),
    formFile: (request) => this.#about(fileFormedSchema, '/files', request),
  };

  /** The routes about the scope of a list. */
  listServer(scope: Id): ListServer {
    const path = `/lists/${scope}`;
    return {
      ...this.routes,
      read: () => this.#about(sealingSchema, path),
      step: async (step) => madeOf(await this.#about(sealingSchema, `${path}/step?${MOVED_IS_TOLD}`, step)),
      tell: async (directory) =>
        madeOf(await this.#about(sealingSchema, `${path}/directory?${MOVED_IS_TOLD}`, { directory })),
      left: (after, limit) =>
        this.#about(
          sealingLeftSchema,
          `${path}/left?limit=${limit}${after === null ? '' : `&after=${after}`}`,
        ),
      reencode: async (request) =>
        takenOf(await this.#about(reencodedSchema, `${path}/reencode?${MOVED_IS_TOLD}`, request)),
      members: async () => {
        const answer = await this.#about(listMembersSchema, `${path}/members`);
        return answer.ok ? ok(answer.value.members) : answer;
      },
      tellIdentity: async (identity) => {
        const answer = await this.#about({ parse: () => null }, '/identity', identity);
        return answer;
      },
    };
  }

  transport(): Transport {
    return {
      sync: async (request) => {
        const answer = await this.#ask('/sync/v1', request);
        if (answer === null) return failed({ type: 'offline' });
        if (answer.status === 200) return ok(syncResponseSchema.parse(answer.body));
        throw new Error(`The server answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      },
      snapshot: async (scope, { part, after }) => {
        const place = `?part=${part}${after === null ? '' : `&after=${after}`}`;
        const answer = await this.#ask(`/snapshot/v1/${scope}${place}`);
        return answer?.status === 200
          ? ok(partFromWire(partPageSchema.parse(answer.body)))
          : failed({ type: 'offline' });
      },
      listen: () => () => undefined,
    };
  }
}
