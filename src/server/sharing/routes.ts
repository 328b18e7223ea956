// The web app's calls about shared lists, their links and members, and the profile of a person (wire/sharing.ts).
import { parseId, type Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import { encryptedListSchema, inviteDays, newLinkSchema, profileChangeSchema } from '#wire/sharing.ts';
import type { AccountActor } from '../access/authorise.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Limiter, RateName } from '../limits/rates.ts';
import { secretDigest } from '../site/secret-link.ts';
import type { Sharing } from './sharing.ts';
import type { SharedLists } from './shared-lists.ts';
import type { SharingProblem } from './sharing-problems.ts';

/** What the calls about shared lists need. */
export interface SharingRoutePorts {
  readonly sharing: Pick<Sharing, 'lists' | 'profiles' | 'settle'>;
  readonly limiter: Limiter;
}

const BODY_BYTES = 4_096;
/** The first directory of a list. */
const KEYS_BYTES = 65_536;
const steps = 'We may have done only part of it. Look at how the list is shared, then try again.';

type Body = Readonly<Record<string, unknown>>;
type Outcome = Promise<Result<Body | null, SharingProblem>>;

/** A member, or somebody who is to be one. */
interface MemberOf {
  readonly list: Id;
  readonly account: number;
}

const answer = (result: Result<Body | null, SharingProblem>): Response =>
  result.ok ? success(result.value ?? {}) : refusal(result.problem.code, result.problem.message);

const noList = () => refusal('not_found', "That list doesn't exist, or you don't belong to it anymore.");

/** An account number as it stands in an address; null: it is none. */
function parseAccount(text: string | undefined): number | null {
  const number = /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

function wrongField(error: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; message: string }[];
}) {
  const [issue] = error.issues;
  const field = String(issue?.path[0] ?? 'body');
  return refusal('invalid', `"${field}" can't be used: ${issue?.message ?? 'it is invalid'}.`, { field });
}

/** The handlers of the calls. */
class SharingCalls {
  readonly #ports: SharingRoutePorts;

  constructor(ports: SharingRoutePorts) {
    this.#ports = ports;
  }

  /** A handler of a call about the list in its address. */
  onList(work: (lists: SharedLists, actor: AccountActor, list: Id) => Outcome) {
    return async (call: RouteCall): Promise<Response> => {
      const list = parseId(call.params['list'] ?? '');
      return list === null ? noList() : answer(await work(this.#lists, call.account(), list));
    };
  }

  /** A handler of a call about a member of the list in its address. */
  onMember(work: (lists: SharedLists, actor: AccountActor, of: MemberOf) => Outcome) {
    return async (call: RouteCall): Promise<Response> => {
      const list = parseId(call.params['list'] ?? '');
      const account = parseAccount(call.params['account']);
      if (list === null || account === null) return noList();
      return answer(await work(this.#lists, call.account(), { list, account }));
    };
  }

  async newLink(call: RouteCall): Promise<Response> {
    const list = parseId(call.params['list'] ?? '');
    const read = newLinkSchema.safeParse(call.body ?? {});
    if (!read.success) return wrongField(read.error);
    if (list === null) return noList();
    const { days = inviteDays } = read.data;
    const actor = call.account();
    const limited = await this.#limited('share_link', String(actor.account));
    return limited ?? answer(await this.#lists.newLink(actor, list, days));
  }

  async keep(call: RouteCall): Promise<Response> {
    const list = parseId(call.params['list'] ?? '');
    const read = encryptedListSchema.safeParse(call.body ?? {});
    if (!read.success) return wrongField(read.error);
    return list === null ? noList() : answer(await this.#lists.keep(call.account(), list, read.data));
  }

  async invitation(call: RouteCall): Promise<Response> {
    return answer(await this.#lists.invitation(call.account(), call.params['token'] ?? ''));
  }

  async join(call: RouteCall): Promise<Response> {
    const token = call.params['token'] ?? '';
    const digest = secretDigest(token);
    const key = digest === null ? 'none' : Buffer.from(digest).toString('base64url').slice(0, 22);
    return (await this.#limited('join_link', key)) ?? answer(await this.#lists.join(call.account(), token));
  }

  async profile(call: RouteCall): Promise<Response> {
    return success({ ...(await this.#ports.sharing.profiles.of(call.account().account)) });
  }

  async changeProfile(call: RouteCall): Promise<Response> {
    const { sharing } = this.#ports;
    const read = profileChangeSchema.safeParse(call.body ?? {});
    if (!read.success) return wrongField(read.error);
    const { account } = call.account();
    const changed = await sharing.profiles.change(account, read.data);
    if (!changed.ok) return refusal('invalid', changed.problem.message, { field: changed.problem.field });
    await sharing.settle(account);
    return success({ ...changed.value });
  }

  get #lists(): SharedLists {
    return this.#ports.sharing.lists;
  }

  /** Null: the call was counted, and is within the limit. */
  async #limited(rate: RateName, key: string): Promise<Response | null> {
    const taken = await this.#ports.limiter.take(rate, key);
    if (taken.allowed) return null;
    const { retryAfterMs } = taken;
    return refusal('rate_limited', 'That was often. Wait a while, then try again.', { retryAfterMs });
  }
}

const common = {
  access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
  site: 'app',
  limit: 'sharing',
  compress: false,
  steps,
} as const;
const plain = { ...common, body: { type: 'none' } } as const;
const json = { ...common, body: { type: 'json', maxBytes: BODY_BYTES } } as const;

function listRoutes(calls: SharingCalls): readonly Route[] {
  const path = '/app/api/sharing/lists/:list';
  const member = `${path}/members/:account`;
  const see = calls.onList((lists, actor, list) => lists.see(actor, list));
  const share = calls.onList((lists, actor, list) => lists.share(actor, list));
  const endLink = calls.onList((lists, actor, list) => lists.endLink(actor, list));
  const leave = calls.onList((lists, actor, list) => lists.leave(actor, list));
  const makePrivate = calls.onList((lists, actor, list) => lists.makePrivate(actor, list));
  const remove = calls.onMember((lists, actor, { list, account }) => lists.remove(actor, list, account));
  const handOver = calls.onMember((lists, actor, { list, account }) => lists.handOver(actor, list, account));
  return [
    { ...plain, method: 'GET', path, handle: see },
    { ...plain, method: 'POST', path, handle: share },
    {
      ...common,
      body: { type: 'json', maxBytes: KEYS_BYTES, gzip: true },
      method: 'POST',
      path: `${path}/encrypted`,
      handle: (call) => calls.keep(call),
    },
    { ...json, method: 'POST', path: `${path}/link`, adds: true, handle: (call) => calls.newLink(call) },
    { ...plain, method: 'DELETE', path: `${path}/link`, handle: endLink },
    { ...plain, method: 'POST', path: `${path}/leave`, handle: leave },
    { ...plain, method: 'POST', path: `${path}/private`, handle: makePrivate },
    { ...plain, method: 'POST', path: `${member}/remove`, handle: remove },
    { ...plain, method: 'POST', path: `${member}/owner`, handle: handOver },
  ];
}

/** Routes about shared lists, invitations to them, and profiles. */
export function sharingRoutes(ports: SharingRoutePorts): readonly Route[] {
  const calls = new SharingCalls(ports);
  const invitation = '/app/api/sharing/invitations/:token';
  const profile = '/app/api/profile';
  return [
    ...listRoutes(calls),
    { ...plain, method: 'GET', path: invitation, handle: (call) => calls.invitation(call) },
    { ...plain, method: 'POST', path: invitation, handle: (call) => calls.join(call) },
    { ...plain, method: 'GET', path: profile, handle: (call) => calls.profile(call) },
    { ...json, method: 'POST', path: profile, handle: (call) => calls.changeProfile(call) },
  ];
}
