// The web app’s calls about pairing devices: one asks for the key of the account, another gives it. What they say is carried, not read.
import { parseId } from '#core/ids.ts';
import {
  pairingAnswerSchema,
  pairingAskedSchema,
  pairingHandOverSchema,
  pairingRevealSchema,
  type Pairing,
} from '#wire/pairing.ts';
import { authorise } from '../access/authorise.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Pairings, PairingProblem, Said } from './pairings.ts';

/** What these calls need. */
export interface PairingRoutePorts {
  readonly pairings: Pairings;
}

const BODY_BYTES = 2_048;
const GONE = () => refusal('not_found', 'That pairing is over. Start again on the new device.');

const common = {
  access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
  site: 'app',
  limit: 'pairing',
  compress: false,
} as const;

const body = { type: 'json', maxBytes: BODY_BYTES } as const;

interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] };
      };
}

function read<T>(schema: Schema<T>, value: unknown): T | Response {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.map(String).join('.') || 'body';
  return refusal('invalid', `"${field}" can't be used.`, { field });
}

type Handler = (call: RouteCall) => Promise<Response>;

/** The handlers, over stored pairings. */
class PairingCalls {
  readonly #pairings: Pairings;

  constructor(pairings: Pairings) {
    this.#pairings = pairings;
  }

  async begin(call: RouteCall): Promise<Response> {
    const asked = read(pairingAskedSchema, call.body);
    if (asked instanceof Response) return asked;
    const device = call.session?.session.name ?? '';
    const pairing = await this.#pairings.begin(call.account(), device, asked.commitment);
    if (pairing === null)
      return refusal('conflict', 'Too many devices ask for the key at once. Try again in five minutes.');
    return success({ pairing });
  }

  async waiting(call: RouteCall): Promise<Response> {
    return success({ pairings: await this.#pairings.waiting(call.account()) });
  }

  async get(call: RouteCall): Promise<Response> {
    const pairing = await this.#found(call);
    return pairing === null ? GONE() : success({ pairing });
  }

  /** A handler for one of the messages; null: it has no body. */
  says<T>(schema: Schema<T> | null, saidBy: (value: T) => Said): Handler {
    return async (call) => {
      const pairing = await this.#found(call);
      if (pairing === null) return GONE();
      const value = schema === null ? (undefined as T) : read(schema, call.body);
      if (value instanceof Response) return value;
      return answerTo(await this.#pairings.say(call.account(), pairing.id, saidBy(value)));
    };
  }

  /** The pairing of the address, where this device may know of it. */
  async #found(call: RouteCall): Promise<Pairing | null> {
    const actor = call.account();
    const id = parseId(call.params['id'] ?? '');
    const pairing = id === null ? null : await this.#pairings.get(actor, id);
    const owner = pairing === null ? undefined : actor.account;
    return authorise(actor, { type: 'pairing', owner }).allowed ? pairing : null;
  }
}

function answerTo(said: Pairing | PairingProblem): Response {
  if (said === 'gone') return GONE();
  return said === 'not-now'
    ? refusal('conflict', 'That was said already, or it is the other device’s turn.')
    : success({ pairing: said });
}

/** Routes for devices that are paired. */
export function pairingRoutes({ pairings }: PairingRoutePorts): readonly Route[] {
  const calls = new PairingCalls(pairings);
  const path = '/app/api/pairings';
  const one = `${path}/:id`;
  const asks = { ...common, method: 'GET', limit: null, body: { type: 'none' } } as const;
  const tells = { ...common, method: 'POST', body } as const;
  const confirmed = { carrier: 'cookie', rule: { type: 'account', kind: 'web', confirmed: true } } as const;
  const answer = calls.says(pairingAnswerSchema, ({ oldKey }) => ({ step: 'answer', oldKey }));
  const reveal = calls.says(pairingRevealSchema, ({ newKey, nonce }) => ({ step: 'reveal', newKey, nonce }));
  const handOver = calls.says(pairingHandOverSchema, ({ handed }) => ({ step: 'hand-over', handed }));
  const take = calls.says<undefined>(null, () => ({ step: 'take' }));
  const refuse = calls.says<undefined>(null, () => ({ step: 'refuse' }));
  return [
    { ...tells, path, handle: (call) => calls.begin(call) },
    { ...asks, path, handle: (call) => calls.waiting(call) },
    { ...asks, path: one, handle: (call) => calls.get(call) },
    { ...tells, path: `${one}/answer`, handle: answer },
    { ...tells, path: `${one}/reveal`, handle: reveal },
    { ...tells, path: `${one}/hand-over`, access: confirmed, handle: handOver },
    { ...tells, path: `${one}/taken`, body: { type: 'none' }, handle: take },
    { ...tells, path: `${one}/refuse`, body: { type: 'none' }, handle: refuse },
  ];
}
