// Every write of the public API: a plan that decides inside the transaction, on the one write path. The author is a device
// specific to the token, so that the history names the program.
import { must } from '#core/assert.ts';
import { isBlockRegister } from '#core/calendar/blocks.ts';
import { deriveId, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { eachScalar } from '#core/task-fields.ts';
import type { Action, Verdict } from '#sync/rows/operation.ts';
import { checkRegister } from '#wire/registers.ts';
import type { ApiActor, ApiPorts, PlannedAction, PlanView } from './ports.ts';
import { invalid, isProblem, problem, within, type Problem } from './problem.ts';

/** One action of a call, in the scope of its row. */
export interface Step {
  readonly scope: Id;
  readonly action: Action;
  /** The part of the request it belongs to; absent: the request itself. */
  readonly path?: string | null;
}

export interface Intent {
  readonly actor: ApiActor;
  readonly scopes: readonly Id[];
  /** Read in advance; other rows are read when first needed. */
  readonly rows?: readonly { readonly scope: Id; readonly id: Id }[];
  /** May be called several times. */
  readonly decide: (view: PlanView) => readonly Step[] | Problem;
}

export interface Writing {
  /** Null: durably written. */
  carryOut(intent: Intent): Promise<Problem | null>;
}

/** Request fields by the registers they set; other registers have the name of their field. */
const FIELDS: Readonly<Record<string, string>> = {
  due: 'due_at',
  start: 'starts_at',
  snooze: 'snoozed_until',
  snoozeCount: 'snoozed_until',
  bookmarkedAt: 'bookmarked_at',
  ...eachScalar((_, { api }) => api),
  repeat: 'repeat_value',
  status: 'completed_at',
  color: 'color_hex_string',
  query: 'smart_list_query',
  sort: 'persistent_sort_field',
  archivedAt: 'archived_at',
  listType: 'list_type',
};

function fieldOf(register: string): string {
  if (register.startsWith('meta:')) return 'metadata';
  if (isBlockRegister(register)) return 'local_start';
  return register.startsWith('label:') ? 'label_ids' : (FIELDS[register] ?? register);
}

/** The request field behind a register value that cannot be stored. */
function wrongField(action: Action): string | null {
  if (action.a === 'set') return fieldOf(action.field);
  if (action.a !== 'create') return action.a === 'place' ? 'parent_id' : null;
  const wrong = Object.entries(action.fields).find(
    ([register, value]) => checkRegister(action.type, register, value) !== null,
  );
  return wrong === undefined ? 'id' : fieldOf(wrong[0]);
}

function refusalOf(verdict: Verdict | 'encrypted', { action, path = null }: Step): Problem {
  const found = plainRefusalOf(verdict, action);
  return path === null ? found : within(path, found);
}

function plainRefusalOf(verdict: Verdict | 'encrypted', action: Action): Problem {
  switch (verdict) {
    case 'encrypted':
      return encryptedProblem(action);
    case 'gone':
      return problem('not_found', 'Nothing has this id.');
    case 'badparent':
      return problem('invalid', "It can't go there.", 'parent_id');
    case 'cycle':
      return problem('invalid', "You can't put something under itself.", 'parent_id');
    case 'forbidden':
      return problem('forbidden', "You're not allowed to do that.");
    case 'limit':
      return action.a === 'set'
        ? invalid(
            'metadata',
            `Metadata can't be longer than ${limits.metadataCharacters} characters as JSON.`,
          )
        : invalid('parent_id', `You can't nest deeper than ${limits.depth} levels.`);
    default: {
      const field = wrongField(action);
      return field === null
        ? problem('invalid', "This can't be saved.")
        : invalid(field, `"${field}" can't be saved.`);
    }
  }
}

/** What only the devices with the keys of a scope can write. */
function encryptedProblem(action: Action): Problem {
  if (action.a === 'place')
    return problem(
      'encrypted',
      'Your own lists are end-to-end encrypted. Only an app of yours can move something between them and shared lists.',
    );
  const names = action.a === 'set' ? [action.field] : action.a === 'create' ? Object.keys(action.fields) : [];
  return names.some((name) => name.startsWith('meta:'))
    ? problem(
        'encrypted',
        'Names in metadata are end-to-end encrypted, so only an app of yours can write metadata.',
        'metadata',
      )
    : problem(
        'encrypted',
        'This account is end-to-end encrypted, and no app of yours has made the key for what programs write. Open one and try again.',
      );
}

/** Sessions whose device id is cached: deriving it costs as much as a small read. */
const KEPT_DEVICES = 10_000;

export function createWriting(ports: Pick<ApiPorts, 'plans' | 'newId'>): Writing {
  const devices = new Map<Id, Id>();

  function deviceOf(session: Id): Id {
    const known = devices.get(session);
    if (known !== undefined) return known;
    const device = deriveId('api', session);
    if (devices.size >= KEPT_DEVICES) devices.clear();
    devices.set(session, device);
    return device;
  }

  /** One atomic change per scope, as far as its size permits; one group to undo together. */
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
      let decided: readonly Step[] = [];
      const refusal = await ports.plans.carryOut(actor, deviceOf(actor.session), {
        scopes: [...new Set(scopes)],
        rows,
        decide(view) {
          found = null;
          const steps = decide(view);
          if (!isProblem(steps)) {
            decided = steps;
            return planned(steps, group);
          }
          found = steps;
          return null;
        },
      });
      if (refusal === null) return null;
      if (refusal === 'by plan') return found;
      if (refusal === 'device') return problem('forbidden', "You're not allowed to do that.");
      const step = must(decided[refusal.index], 'what was refused was decided');
      return refusalOf(refusal.verdict, step);
    },
  };
}
