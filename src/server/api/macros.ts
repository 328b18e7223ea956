// The handlers of the calls about runs of macros: asking for one, and what came of it. A macro runs on a device of the
// person, never here (macro-runs/).
import { parseId, settingId, type Id } from '#core/ids.ts';
import { isRecord } from '#core/json.ts';
import { macroKey, programsRunMacros, readMacroFace, type MacroFace } from '#core/macros.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import type { ApiMacroRun } from '#wire/api/objects.ts';
import type { CreateMacroRun } from '#wire/api/requests.ts';
import { authorise } from '../access/authorise.ts';
import type { RouteCall } from '../http/route.ts';
import type { ServerContext } from './server-context.ts';
import type { ApiAnswer } from '#api/ports.ts';
import type { KnownRun, RunState } from '../macro-runs/runs.ts';
import type { Frame } from '#api/frame.ts';
import { answer, idOf, nothing, open, viewerOf } from '#api/handler-context.ts';
import { isSealed, noSealedRuns } from '#api/macros.ts';
import { isoOf } from '#api/moments.ts';
import { unreadParameters } from '#api/parsing.ts';
import { invalid, isProblem, problem, type Problem } from '#api/problem.ts';

const noRun = nothing('run');
const noMacro = nothing('macro');
const SWITCH =
  'Programs may not run macros. To allow it, turn on “Let programs run macros” in Settings, Account.';
const CLOSED =
  'Programs may not run this macro. To allow it, choose “Let links and programs start a macro…” in the app.';

/** What there is to say of a run that has no words of its own. */
const SAID: Readonly<Partial<Record<RunState, string>>> = {
  expired: 'No device took it within a minute. Open Posthaste where you are signed in, then try again.',
  lost: 'The device that took it has not said how it ended. Look at the tasks before you try again.',
};

type Values = readonly (readonly [name: string, value: string])[];

/** Runs of macros of the account. */
export class MacroHandlers {
  readonly #context: ServerContext;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  async start(call: RouteCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.createMacroRun.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, input, warnings } = opened;
    if (isSealed(await this.#context.store.scope(actor.personalScope))) return answer(noSealedRuns);
    const macro = parseId(input.macro_id);
    const face = macro === null ? null : await this.#face(call, macro);
    if (macro === null || face === null) return answer(noMacro);
    if (isProblem(face)) return answer(face);
    const values = valuesFor(face, input.variables ?? {}, call.body);
    if (isProblem(values)) return answer(values);
    const tasks = await this.#tasks(call, opened.frame, input);
    if (isProblem(tasks)) return answer(tasks);
    const { macroRuns, newId } = this.#context;
    const id = (input.id ? parseId(input.id) : null) ?? newId();
    const name = call.session?.session.name ?? '';
    const program = name === '' || name === 'Unknown' ? 'a program' : name;
    const asked = { id, macro, tasks, values, program, isDry: input.dry_run === true };
    const run = await macroRuns.start(actor.account, {
      ...asked,
      values: values.map(([key, value]) => [key, value]),
    });
    if (run === null) return answer(problem('conflict', 'This id is already taken.', 'id'));
    return answer({ macro_run: shown(run) }, warnings, 202);
  }

  async get(call: RouteCall): Promise<ApiAnswer> {
    const id = idOf(call);
    const actor = call.account();
    const run = id === null ? undefined : await this.#context.macroRuns.get(actor.account, id);
    if (run === undefined || !authorise(actor, { type: 'macro.run', owner: run.account }).allowed)
      return answer(noRun);
    return answer({ macro_run: shown(run) }, unreadParameters(call.url));
  }

  /** What the server knows of the macro; null: there is none. */
  async #face(call: RouteCall, macro: Id): Promise<MacroFace | Problem | null> {
    const actor = call.account();
    const { personalScope: scope } = actor;
    const [switchId, macroId] = [settingId(scope, programsRunMacros), settingId(scope, macroKey(macro))];
    const rows = await this.#context.reads.find([scope], [switchId, macroId]);
    const valueOf = (id: Id) =>
      fieldOf(
        rows.find((row) => row.id === id),
        'value',
      );
    const face = readMacroFace(valueOf(macroId));
    if (face === null) return null;
    const takesPrograms = valueOf(switchId) === true;
    if (authorise(actor, { type: 'macro.start', takesPrograms, isOpen: face.isOpen }).allowed) return face;
    return problem('forbidden', takesPrograms ? CLOSED : SWITCH);
  }

  /** The tasks it is to be about, each once. */
  async #tasks(
    call: RouteCall,
    frame: Frame,
    { task_ids: named }: Pick<CreateMacroRun, 'task_ids'>,
  ): Promise<Id[] | Problem> {
    const ids = [...new Set((named ?? []).flatMap((text) => parseId(text) ?? []))];
    const { reading } = this.#context;
    const rows = await reading.rows(frame, ids);
    const seen = await reading.show(viewerOf(this.#context, call), frame, rows);
    const found = new Set(seen.map(({ row }) => row.id));
    const missing = ids.find((id) => !found.has(id));
    return missing === undefined ? ids : problem('not_found', `There's no task ${missing}.`, 'task_ids');
  }
}

/** Values for all that is asked, and for nothing that the macro does not have. */
function valuesFor(
  { variables }: MacroFace,
  given: Readonly<Record<string, string>>,
  body: unknown,
): Values | Problem {
  const raw = isRecord(body) ? body['variables'] : null;
  // Reading drops it, and a value that was given is never left out without a word.
  if (isRecord(raw) && Object.hasOwn(raw, '__proto__'))
    return invalid('variables.__proto__', 'A variable with this name takes no value from outside.');
  const values = Object.entries(given);
  const unknown = values.find(([name]) => !variables.some((each) => each.name === name));
  if (unknown) return invalid(`variables.${unknown[0]}`, `The macro has no variable "${unknown[0]}".`);
  const missing = variables.find(({ name, isAsked }) => isAsked && !Object.hasOwn(given, name));
  return missing ? invalid(`variables.${missing.name}`, `The macro asks for "${missing.name}".`) : values;
}

function shown({ id, macro, isDry, state, outcome, createdAt, updatedAt }: KnownRun): ApiMacroRun {
  return {
    id,
    macro_id: macro,
    dry_run: isDry,
    state,
    message: outcome?.message ?? SAID[state] ?? null,
    changed_count: outcome?.changed ?? 0,
    created_count: outcome?.created ?? 0,
    deleted_count: outcome?.deleted ?? 0,
    changes: outcome?.changes ?? [],
    created_at: isoOf(createdAt),
    updated_at: isoOf(updatedAt),
  };
}
