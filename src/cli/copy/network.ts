// The network of a copy that the command line holds (wire/api/copy.ts): replication, the state of encryption, and pairing, with the token of the
// session. Failures are values, as the engine takes them.
import * as z from 'zod/mini';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Transport, TransportAnswer, TransportFailure } from '#sync/replica/ports.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import type { PairingServer } from '#sync/sealing/pairing-desk.ts';
import type { ListServer, SealingFailure, SealingServer } from '#sync/sealing/ports.ts';
import type { ApiRequest } from '#wire/api/client-core.ts';
import { copyRoutes, copySelfSchema, type CopySelf } from '#wire/api/copy.ts';
import { pairingAnswerBodySchema } from '#wire/pairing.ts';
import { listMembersSchema, reencodedSchema, sealingLeftSchema, sealingSchema } from '#wire/sealing.ts';
import { partPageSchema, syncErrorCodes, syncResponseSchema, type SyncResponse } from '#wire/sync.ts';
import type { World } from '../world.ts';

const BUSY_MS = 5_000;
const SERVER_ERROR = 500;

/** Where a copy talks to, and as whom. */
export interface Line {
  /** Address of the API. */
  readonly url: string;
  readonly token: string;
  readonly send: World['send'];
}

/** What a server answered; null: nothing, and why. */
interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs: number;
}

const saidIn = z.object({ code: z.optional(z.string()), message: z.optional(z.string()) });

const read = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A page of some proxy.
    return null;
  }
};

/** Sends one request. Rejects as `send` does where there is no answer. */
async function ask(line: Line, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Reply> {
  const request: ApiRequest = {
    method,
    headers: {
      authorization: `Bearer ${line.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const response = await line.send(`${line.url}${path}`, request);
  const seconds = Number(response.headers.get('retry-after') ?? '');
  return {
    status: response.status,
    body: read(await response.text()),
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0,
  };
}

const said = (body: unknown) => saidIn.safeParse(body).data ?? {};

function failureOf({ status, body, retryAfterMs }: Reply): TransportFailure {
  const { code, message = `The server answered ${status}.` } = said(body);
  if (status === 401) return { type: 'signedOut' };
  const known = syncErrorCodes.find((each) => each === code);
  if (status >= SERVER_ERROR || status === 429 || known === undefined || known === 'busy')
    return { type: 'busy', retryAfterMs: retryAfterMs || BUSY_MS };
  return { type: 'refused', code: known, message };
}

/** What became of the requests of a copy. */
export interface Traffic {
  /** Sent and not answered yet. */
  open: number;
  /** How many were answered. */
  heard: number;
  /** Why the last one had no answer; null: it had one. */
  failure: TransportFailure | null;
  /** Why nothing was heard: what `send` rejected with. */
  error: unknown;
  /** What the last answer said about the encryption of the account's own scope; absent: nothing. */
  sealing?: NonNullable<SyncResponse['sealing']>[Id];
}

/** The transport of a copy, without a live channel: it asks when it is to know. */
export function transportOf(
  line: Line,
  scope: Id,
): { readonly transport: Transport; readonly traffic: Traffic } {
  const traffic: Traffic = { open: 0, heard: 0, failure: null, error: null };
  async function answered<T>(
    schema: z.ZodMiniType<T>,
    work: () => Promise<Reply>,
  ): Promise<TransportAnswer<T>> {
    traffic.open += 1;
    try {
      const reply = await work();
      const parsed = reply.status === 200 ? schema.safeParse(reply.body) : null;
      traffic.failure =
        parsed?.success === true
          ? null
          : parsed === null
            ? failureOf(reply)
            : { type: 'busy', retryAfterMs: BUSY_MS };
      return parsed?.success === true
        ? ok(parsed.data)
        : failed(traffic.failure ?? { type: 'busy', retryAfterMs: BUSY_MS });
    } catch (error) {
      traffic.error = error;
      traffic.failure = { type: 'offline' };
      return failed(traffic.failure);
    } finally {
      traffic.open -= 1;
      traffic.heard += 1;
    }
  }
  return {
    traffic,
    transport: {
      async sync(request) {
        const answer = await answered<SyncResponse>(syncResponseSchema, () =>
          ask(line, 'POST', copyRoutes.sync, request),
        );
        const state = answer.ok ? answer.value.sealing?.[scope] : undefined;
        if (state !== undefined) traffic.sealing = state;
        return answer;
      },
      async snapshot(of, { part, after }) {
        const query = after === null ? `?part=${part}` : `?part=${part}&after=${after}`;
        const page = await answered(partPageSchema, () =>
          ask(line, 'GET', `${copyRoutes.snapshot}/${of}${query}`),
        );
        return page.ok ? ok(partFromWire(page.value)) : page;
      },
      listen: () => () => undefined,
    },
  };
}

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

type Answered<T> = Promise<Result<T, SealingFailure>>;

async function answeredAbout<T>(schema: z.ZodMiniType<T>, line: Line, of: Asked): Answered<T> {
  try {
    const reply = await ask(line, of.method, of.path, of.body);
    const { code, message = `The server answered ${reply.status}.` } = said(reply.body);
    if (reply.status !== 200) return failed({ type: code === 'moved' ? 'moved' : 'refused', message });
    const parsed = schema.safeParse(reply.body);
    return parsed.success
      ? ok(parsed.data)
      : failed({ type: 'refused', message: "The server's answer can't be read. Update posthaste." });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failed({ type: 'offline', message: `Can't reach the server at ${line.url} (${why}).` });
  }
}

const ofDevices: SealingFailure = { type: 'refused', message: 'Only a device with the app does that.' };
const notHere = (): Promise<Result<never, SealingFailure>> => Promise.resolve(failed(ofDevices));

type Asking = <T>(schema: z.ZodMiniType<T>, of: Asked) => Answered<T>;

/** What is asked in the background, while a run isn't over. */
const whileOpen =
  (line: Line, isOver: () => boolean): Asking =>
  (schema, of) =>
    isOver() ? notHere() : answeredAbout(schema, line, of);

/** The routes about one scope, below a path. Steps are for devices. */
function scopeServer(path: string, line: Line, asked: Asking): SealingServer {
  return {
    read: () => answeredAbout(sealingSchema, line, { method: 'GET', path }),
    tell: (directory) =>
      answeredAbout(sealingSchema, line, { method: 'POST', path: `${path}/directory`, body: { directory } }),
    left(after, limit, list) {
      const query = `?limit=${limit}${after === null ? '' : `&after=${after}`}${list === undefined ? '' : `&list=${list}`}`;
      return asked(sealingLeftSchema, { method: 'GET', path: `${path}/left${query}` });
    },
    reencode: (request) =>
      asked(reencodedSchema, { method: 'POST', path: `${path}/reencode`, body: request }),
    step: notHere,
    changeWraps: notHere,
    formFile: notHere,
  };
}

/**
 * The state of encryption for a program: it reads it, says that it has the key, and brings rows into their form where that is asked for. `isOver`:
 * the run ends, and nothing that goes on by itself is answered any more.
 */
export function sealingServerOf(line: Line, isOver: () => boolean = () => false): SealingServer {
  const asked = whileOpen(line, isOver);
  return {
    ...scopeServer(copyRoutes.sealing, line, asked),
    // Tasks that move to shared lists are opened here, and those that come are sealed.
    step: (step) =>
      step.step === 'lists'
        ? asked(sealingSchema, { method: 'POST', path: copyRoutes.step, body: step })
        : notHere(),
  };
}

/** The same about a list that stays encrypted, and about its people: it is told who this account is. New keys are made by devices. */
export function listServerOf(line: Line, scope: Id, isOver: () => boolean = () => false): ListServer {
  const path = `${copyRoutes.lists}/${scope}`;
  const asked = whileOpen(line, isOver);
  return {
    ...scopeServer(path, line, asked),
    async members() {
      const answer = await asked(listMembersSchema, { method: 'GET', path: `${path}/members` });
      return answer.ok ? ok(answer.value.members) : answer;
    },
    async tellIdentity(identity) {
      const answer = await asked(z.object({}), {
        method: 'POST',
        path: copyRoutes.identity,
        body: identity,
      });
      return answer.ok ? ok(null) : answer;
    },
  };
}

/** The calls by which this program gets the key from a device. */
export function pairingServerOf(line: Line): PairingServer {
  const one = async (path: string, body?: unknown) => {
    const of = {
      method: body === undefined ? ('GET' as const) : ('POST' as const),
      path: `${copyRoutes.pairings}${path}`,
      ...(body === undefined ? {} : { body }),
    };
    const answer = await answeredAbout(pairingAnswerBodySchema, line, of);
    return answer.ok ? ok(answer.value.pairing) : answer;
  };
  return {
    begin: (commitment) => one('', { commitment }),
    read: (id) => one(`/${id}`),
    reveal: (id, newKey, nonce) => one(`/${id}/reveal`, { newKey, nonce }),
    take: (id) => one(`/${id}/taken`, {}),
    refuse: (id) => one(`/${id}/refuse`, {}),
    // Programs give nobody the key.
    waiting: notHere,
    answer: notHere,
    handOver: notHere,
  };
}

/** Whose token it is. */
export async function selfOf(line: Line): Promise<Result<CopySelf, SealingFailure>> {
  return await answeredAbout(copySelfSchema, line, { method: 'GET', path: copyRoutes.self });
}
