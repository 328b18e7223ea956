// Endpoints of the sealing of one's own scope, `/sealing/v1`, for the devices of an account alone. What begins or ends it, or changes the
// ways to its keys, asks for the person first.
import { parseId } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import {
  directoryTellingSchema,
  fileFormSchema,
  reencodeSchema,
  sealingLimits,
  sealingStepSchema,
  wrapChangeSchema,
  type SealingStep,
} from '#wire/sealing.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { SecurityEvents, SecurityEventType } from '../accounts/security-events.ts';
import { plainJson, refusal } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { SealedScopes, SealingProblem } from './sealed-scopes.ts';

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

const answered = <T>(result: Result<T, SealingProblem>): Response =>
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

const scopeOf = (actor: AccountActor) => (actor.roles.has(actor.personalScope) ? actor.personalScope : null);
const missing = () => refusal('not_found', "That scope doesn't exist.");

/** What each of the routes does. */
class Calls {
  readonly #ports: SealingRoutePorts;

  constructor(ports: SealingRoutePorts) {
    this.#ports = ports;
  }

  async read(call: RouteCall): Promise<Response> {
    const scope = scopeOf(call.account());
    return scope === null ? missing() : plainJson(await this.#ports.sealedScopes.read(scope));
  }

  async step(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const scope = scopeOf(actor);
    if (scope === null) return missing();
    const asked = sealingStepSchema.safeParse(call.body);
    if (!asked.success) return refusal('invalid', "This isn't a step.");
    if (asksForThem(asked.data) && actor.isConfirmed !== true) return CONFIRM();
    const done = await this.#ports.sealedScopes.step(scope, actor.account, asked.data);
    const type = EVENTS[asked.data.step];
    if (done.ok && type !== undefined)
      await this.#ports.events.record({ type, account: actor.account, detail: {} });
    return answered(done);
  }

  async changeWraps(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const scope = scopeOf(actor);
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

  async tell(call: RouteCall): Promise<Response> {
    const scope = scopeOf(call.account());
    if (scope === null) return missing();
    const asked = directoryTellingSchema.safeParse(call.body);
    if (!asked.success) return refusal('invalid', "This isn't a directory.");
    return answered(await this.#ports.sealedScopes.tell(scope, asked.data));
  }

  async left(call: RouteCall): Promise<Response> {
    const scope = scopeOf(call.account());
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

  async reencode(call: RouteCall): Promise<Response> {
    const scope = scopeOf(call.account());
    if (scope === null) return missing();
    const asked = reencodeSchema.safeParse(call.body);
    if (!asked.success) return refusal('invalid', "These aren't registers.");
    return answered(await this.#ports.sealedScopes.reencode(scope, asked.data));
  }

  async formFile(call: RouteCall): Promise<Response> {
    const asked = fileFormSchema.safeParse(call.body);
    if (!asked.success) return refusal('invalid', "This isn't the content of an attachment.");
    const { scope } = asked.data;
    if (!authorise(call.account(), { type: 'scope.write', scope }).allowed) return missing();
    return answered(await this.#ports.sealedScopes.formFile(scope, asked.data));
  }
}

/** The routes of the sealing of one's own scope. */
export function sealingRoutes(ports: SealingRoutePorts): readonly Route[] {
  const calls = new Calls(ports);
  const rule = { type: 'account', kind: 'web' } as const;
  const common = { site: 'app', limit: null, compress: true } as const;
  const access = { carrier: 'cookie', rule } as const;
  const confirmed = { carrier: 'cookie', rule: { ...rule, confirmed: true } } as const;
  const json = (maxBytes: number) => ({ type: 'json', maxBytes, gzip: true }) as const;
  const none = { type: 'none' } as const;
  return [
    // Wraps are secrets, and nothing of the request is in the answer.
    { ...common, method: 'GET', path: '/sealing/v1', access, body: none, handle: (call) => calls.read(call) },
    {
      ...common,
      method: 'POST',
      path: '/sealing/v1/step',
      access,
      body: json(STEP_BYTES),
      handle: (call) => calls.step(call),
    },
    {
      ...common,
      method: 'POST',
      path: '/sealing/v1/wraps',
      access: confirmed,
      body: json(STEP_BYTES),
      handle: (call) => calls.changeWraps(call),
    },
    {
      ...common,
      method: 'POST',
      path: '/sealing/v1/directory',
      access,
      body: json(STEP_BYTES),
      handle: (call) => calls.tell(call),
    },
    {
      ...common,
      method: 'GET',
      path: '/sealing/v1/left',
      access,
      body: none,
      handle: (call) => calls.left(call),
    },
    {
      ...common,
      method: 'POST',
      path: '/sealing/v1/reencode',
      access,
      body: json(REENCODE_BYTES),
      handle: (call) => calls.reencode(call),
    },
    {
      ...common,
      method: 'POST',
      path: '/sealing/v1/files',
      access,
      body: json(FILE_BYTES),
      handle: (call) => calls.formFile(call),
    },
  ];
}
