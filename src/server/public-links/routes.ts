// The web app's calls about the public links of a list (wire/public-links.ts).
import { parseId, type Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import {
  logoBytes,
  newPublicLinkSchema,
  publicLinkChangeSchema,
  undoVisitsSchema,
} from '#wire/public-links.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Limiter } from '../limits/rates.ts';
import type { SharingProblem } from '../sharing/sharing-problems.ts';
import type { ManagedLinks } from './public-links.ts';
import { picture } from './visitor-routes.ts';

/** What the calls need. */
export interface PublicLinkRoutePorts {
  readonly publicLinks: { readonly managed: ManagedLinks };
  readonly limiter: Limiter;
}

const BODY_BYTES = 4_096;
const steps = 'We may have done only part of it. Look at the public links of the list, then try again.';

type Body = Readonly<Record<string, unknown>>;

const answer = (result: Result<Body, SharingProblem>): Response =>
  result.ok ? success(result.value) : refusal(result.problem.code, result.problem.message);

const noList = () => refusal('not_found', "That list doesn't exist, or you don't belong to it anymore.");

interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

/** What was sent, or the refusal that names what is wrong with it. */
function readWith<T>(schema: Schema<T>, body: unknown): T | Response {
  const read = schema.safeParse(body ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = String(issue?.path[0] ?? 'body');
  return refusal('invalid', `"${field}" can't be used: ${issue?.message ?? 'it is invalid'}.`, { field });
}

/** A picture as it arrives; null: larger than a logo may be. */
async function pictureIn(body: unknown): Promise<Uint8Array | null> {
  if (!(body instanceof ReadableStream)) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body as ReadableStream<Uint8Array>) {
    size += part.length;
    if (size > logoBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

class LinkCalls {
  readonly #ports: PublicLinkRoutePorts;

  constructor(ports: PublicLinkRoutePorts) {
    this.#ports = ports;
  }

  async see(call: RouteCall): Promise<Response> {
    const list = parseId(call.params['list'] ?? '');
    return list === null ? noList() : answer(await this.#managed.see(call.account(), list));
  }

  async make(call: RouteCall): Promise<Response> {
    const list = parseId(call.params['list'] ?? '');
    const wanted = readWith(newPublicLinkSchema, call.body);
    if (wanted instanceof Response) return wanted;
    if (list === null) return noList();
    const actor = call.account();
    const taken = await this.#ports.limiter.take('share_link', String(actor.account));
    if (!taken.allowed)
      return refusal('rate_limited', 'You have made many links today. Wait a while, then try again.', {
        retryAfterMs: taken.retryAfterMs,
      });
    return answer(await this.#managed.make(actor, list, wanted));
  }

  change(call: RouteCall): Promise<Response> {
    const change = readWith(publicLinkChangeSchema, call.body);
    if (change instanceof Response) return Promise.resolve(change);
    return this.#onLink(call, async (place, link) => answer(await this.#managed.change(place, link, change)));
  }

  remove(call: RouteCall): Promise<Response> {
    return this.#onLink(call, async (place, link) => answer(await this.#managed.remove(place, link)));
  }

  logo(call: RouteCall): Promise<Response> {
    return this.#onLink(call, async (place, link) => {
      const logo = await this.#managed.logo(place, link);
      return logo.ok ? picture(logo.value.png) : refusal(logo.problem.code, logo.problem.message);
    });
  }

  async setLogo(call: RouteCall): Promise<Response> {
    const png = await pictureIn(call.body);
    if (png === null)
      return refusal('too_large', `The logo is larger than ${logoBytes / 1_024} KB. Choose a smaller one.`);
    const refused = await call.refusedNow();
    if (refused !== null) return refused;
    return this.#onLink(call, async (place, link) => answer(await this.#managed.setLogo(place, link, png)));
  }

  removeLogo(call: RouteCall): Promise<Response> {
    return this.#onLink(call, async (place, link) => answer(await this.#managed.setLogo(place, link, null)));
  }

  undo(call: RouteCall): Promise<Response> {
    const read = readWith(undoVisitsSchema, call.body);
    if (read instanceof Response) return Promise.resolve(read);
    return this.#onLink(call, async (place, link) =>
      answer(await this.#managed.undo(place, link, read.minutes)),
    );
  }

  get #managed(): ManagedLinks {
    return this.#ports.publicLinks.managed;
  }

  async #onLink(
    call: RouteCall,
    work: (
      place: { readonly actor: ReturnType<RouteCall['account']>; readonly list: Id },
      link: Id,
    ) => Promise<Response>,
  ): Promise<Response> {
    const list = parseId(call.params['list'] ?? '');
    const link = parseId(call.params['link'] ?? '');
    if (list === null) return noList();
    if (link === null) return refusal('not_found', "That public link doesn't exist anymore.");
    return await work({ actor: call.account(), list }, link);
  }
}

/** Routes about the public links of a list. */
export function publicLinkRoutes(ports: PublicLinkRoutePorts): readonly Route[] {
  const calls = new LinkCalls(ports);
  const common = {
    access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
    site: 'app',
    limit: 'sharing',
    compress: false,
    steps,
  } as const;
  const plain = { ...common, body: { type: 'none' } } as const;
  const json = { ...common, body: { type: 'json', maxBytes: BODY_BYTES } } as const;
  const png = { ...common, body: { type: 'stream', maxBytes: logoBytes } } as const;
  const path = '/app/api/sharing/lists/:list/links';
  const link = `${path}/:link`;
  return [
    { ...plain, method: 'GET', path, handle: (call) => calls.see(call) },
    { ...json, method: 'POST', path, adds: true, handle: (call) => calls.make(call) },
    { ...json, method: 'POST', path: link, handle: (call) => calls.change(call) },
    { ...plain, method: 'DELETE', path: link, handle: (call) => calls.remove(call) },
    { ...plain, method: 'GET', path: `${link}/logo`, handle: (call) => calls.logo(call) },
    { ...png, method: 'POST', path: `${link}/logo`, handle: (call) => calls.setLogo(call) },
    { ...plain, method: 'DELETE', path: `${link}/logo`, handle: (call) => calls.removeLogo(call) },
    { ...json, method: 'POST', path: `${link}/undo`, handle: (call) => calls.undo(call) },
  ];
}
