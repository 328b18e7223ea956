// Every write of the public API: a plan that decides inside the transaction, through the one write path. The author is a
// device of the token's own, so that the history says which program it was.
import { deriveId, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action, Verdict } from '#sync/operation.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { ReadSet } from '../data/store.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { PlannedAction, PlanView } from '../sync/planned.ts';
import { isProblem, problem, type Problem } from './problem.ts';

export interface Step {
  readonly scope: Id;
  readonly action: Action;
}

export interface Intent {
  readonly actor: AccountActor;
  readonly scopes: readonly Id[];
  /** Read beforehand; what is missing is read when it is met. */
  readonly rows?: readonly { readonly scope: Id; readonly id: Id }[];
  /** May be called several times. */
  readonly decide: (view: PlanView) => readonly Step[] | Problem;
}

export interface Writing {
  /** Null: it is durable. */
  carryOut(intent: Intent): Promise<Problem | null>;
}

function refusalOf(verdict: Verdict): Problem {
  switch (verdict) {
    case 'gone':
      return problem('not_found', 'There is nothing with this id.');
    case 'badparent':
      return problem('invalid', 'It cannot stand there.', 'parent_id');
    case 'cycle':
      return problem('invalid', 'Nothing can stand under itself.', 'parent_id');
    case 'forbidden':
      return problem('forbidden', 'This is not allowed.');
    case 'limit':
      return problem('invalid', `It would be nested deeper than ${limits.depth} levels, or be too long.`);
    default:
      return problem('invalid', 'This cannot be stored.');
  }
}

/** Sessions whose device is remembered: deriving it costs as much as a small read. */
const KEPT_DEVICES = 10_000;

export function createWriting(ports: {
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly newId: () => Id;
}): Writing {
  const devices = new Map<Id, Id>();

  function deviceOf(session: Id): Id {
    const known = devices.get(session);
    if (known !== undefined) return known;
    const device = deriveId('api', session);
    if (devices.size >= KEPT_DEVICES) devices.clear();
    devices.set(session, device);
    return device;
  }

  /** One atomic change per scope, as far as its size allows; one group to take back together. */
  function planned(steps: readonly Step[], group: Id): readonly PlannedAction[] {
    const open = new Map<Id, { x: Id; count: number }>();
    return steps.map(({ scope, action }) => {
      let change = open.get(scope);
      if (change === undefined || change.count === limits.transactionOperations) {
        change = { x: ports.newId(), count: 0 };
        open.set(scope, change);
      }
      change.count += 1;
      return { scope, action, u: ports.newId(), x: change.x, g: group };
    });
  }

  return {
    async carryOut({ actor, scopes, rows = [], decide }) {
      const group = ports.newId();
      let found: Problem | null = null;
      const want: ReadSet = { rows, ancestors: [], siblings: [] };
      const refusal = await ports.exchange.carryOut(actor, deviceOf(actor.session), {
        scopes: [...new Set(scopes)],
        want,
        decide(view) {
          found = null;
          const steps = decide(view);
          if (!isProblem(steps)) return planned(steps, group);
          found = steps;
          return null;
        },
      });
      if (refusal === null) return null;
      if (refusal === 'by plan') return found;
      return refusal === 'device' ? problem('forbidden', 'This is not allowed.') : refusalOf(refusal.verdict);
    },
  };
}
