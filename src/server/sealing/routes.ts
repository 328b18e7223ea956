// Endpoints of the sealing of one's own scope, `/sealing/v1`, for the devices of an account alone. What begins or ends it, or changes the
// ways to its keys, asks for the person first.
import type { Kysely } from 'kysely';
import { parseId, type Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { Clock } from '#sync/replica/ports.ts';
import {
  directoryTellingSchema,
  fileFormSchema,
  identitySchema,
  reencodeSchema,
  sealingLimits,
  sealingStepSchema,
  MOVED_IS_TOLD,
  wrapChangeSchema,
  type Sealing,
  type SealingStep,
} from '#wire/sealing.ts';
import { authorise } from '../access/authorise.ts';
import type { SecurityEvents, SecurityEventType } from '../accounts/security-events.ts';
import type { Tables } from '../data/tables.ts';
import { plainJson, refusal } from '../http/answer.ts';
import { askAnew, type Bus } from '../live/bus.ts';
import type { Route, RouteCall } from '../http/route.ts';
import { isEncryptedList, keepIdentity, membersSaid } from './list-sealing.ts';
import type { SealedScopes, SealingProblem } from './sealed-scopes.ts';
import type { TextAnswer } from '../http/text-answer.ts';

/** A directory and its wraps. */
const STEP_BYTES = 1_200_000;
/** 500 registers, among them notes. */
const REENCODE_BYTES = 8 * 1024 * 1024;
/** Two hashes and an envelope. */
const FILE_BYTES = 16_384;
const BUSY_RETRY_MS = 5_000;

/** What the routes need. */
export interface SealingRoutePorts {
  readonly sealedScopes: SealedScopes;
  readonly events: Pick<SecurityEvents, 'record'>;
  readonly db: Kysely<Tables>;
  readonly clock: Pick<Clock, 'now'>;
  readonly bus: Pick<Bus, 'publish'>;
}

function refused(problem: SealingProblem): Response {
  switch (problem.type) {
    case 'moved':
      return refusal('moved', 'Another device was first.', { more: { now: problem.now } });
    case 'unfinished':
      return refusal('unfinished', "Some of it isn't in its new form yet.", { more: { left: problem.left } });
    case 'busy':
      return refusal('busy', 'Too much changes right now. Try again.', { retryAfterMs: BUSY_RETRY_MS });
    default:
      return refusal(problem.type, problem.message);
  }
}

const isTold = ({ url }: RouteCall): boolean => url.search.slice(1).split('&').includes(MOVED_IS_TOLD);

const answered = <T>(result: Result<T, SealingProblem>): Response | TextAnswer =>
  result.ok ? plainJson(result.value) : refused(result.problem);

const EVENTS: Readonly<Partial<Record<SealingStep['step'], SecurityEventType>>> = {
  begin: 'encryption_turned_on',
  rotate: 'encryption_keys_renewed',
  unseal: 'encryption_turned_off',
};

/** Whether the person has to have said a moment ago that it is them. */
function asksForThem({ step, wraps, directory }: SealingStep): boolean {
  if (step === 'begin' || step === 'rotate' || step === 'unseal' || wraps !== undefined) return true;
  // A server that is told by its devices that they have turned it off.
  return step === 'catch-up' && !/"phase":"seal(?:ing|ed)"/.test(directory.body);
}

const CONFIRM = () => refusal('confirm_first', "Confirm it's you first.");

const missing = () => refusal('not_found', "That scope doesn't exist.");

/** What each of the routes does. */
class Calls {
  readonly #ports: SealingRoutePorts;

  constructor(ports: SealingRoutePorts) {
    this.#ports = ports;
  }

  /** The scope that a call is about: that of an encrypted list in its address, or the person's own. Null: it isn't theirs. */
  async #scopeOf(call: RouteCall, type: 'scope.read' | 'scope.write'): Promise<Id | null> {
    const actor = call.account();
    const { scope: said } = call.params;
    const scope = said === undefined ? actor.personalScope : parseId(said);
    if (scope === null || !authorise(actor, { type, scope }).allowed) return null;
    return said === undefined || (await isEncryptedList(this.#ports.db, scope)) ? scope : null;
  }

  /** What became of a step or a directory. Devices that work at the same thing are told how it stands. */
  async #outcome(
    call: RouteCall,
    scope: Id,
    done: Result<Sealing, SealingProblem>,
  ): Promise<Response | TextAnswer> {
    const type = done.ok ? null : done.problem.type;
    if ((type !== 'moved' && type !== 'unfinished') || !isTold(call)) return answered(done);
    return plainJson({ ...(await this.#ports.sealedScopes.read(scope)), refused: type });
  }

  async read(call: RouteCall): Promise<Response | TextAnswer> {
    const scope = await this.#scopeOf(call, 'scope.read');
    return scope === null ? missing() : plainJson(await this.#ports.sealedScopes.read(scope));
  }

  async step(call: RouteCall): Promise<Response | TextAnswer> {
    const actor = call.account();
    const scope = await this.#scopeOf(call, 'scope.write');
    if (scope === null) return missing();
    const asked = sealingStepSchema.safeParse(call.body);
    if (!asked.success) return refusal('invalid', "This isn't a step.");
    const isList = scope !== actor.personalScope;
    // The server begins the scope of a list, and every member may change its key.
    const { step } = asked.data;
    if (isList && step !== 'finish' && step !== 'rotate' && step !== 'catch-up')
      return refusal('invalid', "That isn't a step of a list.");
    if (!isList && asksForThem(asked.data) && actor.isConfirmed !== true) return CONFIRM();
    const done = await this.#ports.sealedScopes.step(scope, actor.account, asked.data);
    // Pages of public links of the list have ended.
    if (done.ok && isList && step === 'rotate')
      this.#ports.bus.publish({ type: 'roles', accounts: [actor.account] });
    const type = EVENTS[asked.data.step];
    if (done.ok && type !== undefined && !isList)
      await this.#ports.events.record({ type, account: actor.account, detail: {} });
    return this.#outcome(call, scope, done);
  }

  async changeWraps(call: RouteCall): Promise<Response | TextAnswer> {
    const actor = call.account();
    const scope = await this.#scopeOf(call, 'scope.write');
    if (scope === null) return missing();
    const asked = wrapChangeSchema.safeParse(call.body);
    if (!asked.success) return refusal('invalid', "These aren't wraps.");
    const done = await this.#ports.sealedScopes.changeWraps(scope, asked.data);
    if (done.ok)
      await this.#ports.events.record({
        type: 'encryption_ways_changed',
        account: actor.account,
        detail: {},
      });
    return answered(done);
  }

  async tell(call: RouteCall): Promise<Response | TextAnswer> {
    const scope = await this.#scopeOf(call, 'scope.write');
    if (scope === null) return missing();
    const asked = directoryTellingSchema.safeParse(call.body);
    if (!asked.success) return refusal('invalid', "This isn't a directory.");
    const done = await this.#ports.sealedScopes.tell(scope, asked.data);
    // Somebody may have been let in: their devices wait for it.
    if (done.ok && scope !== call.account().personalScope)
      this.#ports.bus.publish({ type: 'changed', scope, to: askAnew });
    return this.#outcome(call, scope, done);
  }

  async left(call: RouteCall): Promise<Response | TextAnswer> {
    const scope = await this.#scopeOf(call, 'scope.read');
    if (scope === null) return missing();
    const { searchParams } = call.url;
    const [from, most] = [
      searchParams.get('after'),
      Number(searchParams.get('limit') ?? sealingLimits.leftRows),
    ];
    const after = from === null ? null : parseId(from);
    if (from !== null && after === null)
      return refusal('invalid', '"after" isn\'t an id.', { field: 'after' });
    const isCount = Number.isInteger(most) && most >= 1 && most <= sealingLimits.leftRows;
    if (!isCount) return refusal('invalid', '"limit" must be 1 to 500.', { field: 'limit' });
    const list = searchParams.get('list');
    if (list === null) return plainJson(await this.#ports.sealedScopes.left(scope, after, most));
    const id = parseId(list);
    if (id === null) return refusal('invalid', '"list" isn\'t an id.', { field: 'list' });
    return plainJson(await this.#ports.sealedScopes.leftOfList(scope, id, { after, limit: most }));
  }

  async reencode(call: RouteCall): Promise<Response | TextAnswer> {
    const scope = await this.#scopeOf(call, 'scope.write');
    if (scope === null) return missing();
    const asked = reencodeSchema.safeParse(call.body);
    if (!asked.success) return refusal('invalid', "These aren't registers.");
    const done = await this.#ports.sealedScopes.reencode(scope, asked.data);
    const isMoved = !done.ok && done.problem.type === 'moved' && isTold(call);
    return isMoved ? plainJson({ done: 0, skipped: [], refused: 'moved' }) : answered(done);
  }

  async members(call: RouteCall): Promise<Response | TextAnswer> {
    const scope = await this.#scopeOf(call, 'scope.read');
    if (scope === null) return missing();
    return plainJson({ members: await membersSaid(this.#ports.db, scope) });
  }

  async tellIdentity(call: RouteCall): Promise<Response | TextAnswer> {
    const { account } = call.account();
    const asked = identitySchema.safeParse(call.body);
    const { clock, db } = this.#ports;
    const at = Math.round(clock.now());
    const isKept = asked.success && (await keepIdentity(db, account, { identity: asked.data, at }));
    return isKept ? plainJson({}) : refusal('invalid', "These aren't public keys.");
  }

  async formFile(call: RouteCall): Promise<Response | TextAnswer> {
    const asked = fileFormSchema.safeParse(call.body);
    if (!asked.success) return refusal('invalid', "This isn't the content of an attachment.");
    const { scope } = asked.data;
    if (!authorise(call.account(), { type: 'scope.write', scope }).allowed) return missing();
    return answered(await this.#ports.sealedScopes.formFile(scope, asked.data));
  }
}

const rule = { type: 'account', kind: 'web' } as const;
const common = { site: 'app', limit: null, compress: true } as const;
const access = { carrier: 'cookie', rule } as const;
const none = { type: 'none' } as const;
const json = (maxBytes: number) => ({ type: 'json', maxBytes, gzip: true }) as const;

/** The routes that are the same for one's own scope and for that of a list. */
function scopeRoutes(calls: Calls, path: string): readonly Route[] {
  const read = { ...common, method: 'GET', access, body: none } as const;
  const write = { ...common, method: 'POST', access } as const;
  return [
    // Wraps are secrets, and nothing of the request is in the answer.
    { ...read, path, handle: (call) => calls.read(call) },
    { ...write, path: `${path}/step`, body: json(STEP_BYTES), handle: (call) => calls.step(call) },
    { ...write, path: `${path}/directory`, body: json(STEP_BYTES), handle: (call) => calls.tell(call) },
    { ...read, path: `${path}/left`, handle: (call) => calls.left(call) },
    {
      ...write,
      path: `${path}/reencode`,
      body: json(REENCODE_BYTES),
      handle: (call) => calls.reencode(call),
    },
  ];
}

/** The routes of the sealing of one's own scope, and of lists that stay encrypted. */
export function sealingRoutes(ports: SealingRoutePorts): readonly Route[] {
  const calls = new Calls(ports);
  const confirmed = { carrier: 'cookie', rule: { ...rule, confirmed: true } } as const;
  const list = '/sealing/v1/lists/:scope';
  const write = { ...common, method: 'POST' } as const;
  return [
    ...scopeRoutes(calls, '/sealing/v1'),
    ...scopeRoutes(calls, list),
    {
      ...common,
      method: 'GET',
      path: `${list}/members`,
      access,
      body: none,
      handle: (call) => calls.members(call),
    },
    {
      ...write,
      path: '/sealing/v1/identity',
      access,
      body: json(FILE_BYTES),
      handle: (call) => calls.tellIdentity(call),
    },
    {
      ...write,
      path: '/sealing/v1/wraps',
      access: confirmed,
      body: json(STEP_BYTES),
      handle: (call) => calls.changeWraps(call),
    },
    {
      ...write,
      path: '/sealing/v1/files',
      access,
      body: json(FILE_BYTES),
      handle: (call) => calls.formFile(call),
    },
  ];
}
