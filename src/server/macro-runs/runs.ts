// Runs of macros that programs ask for, as they are stored: one device takes each, and tells what came of it. What was taken is never
// given out again. Who may ask is decided before (api/macros.ts); what a macro does, this server does not know.
import { createHash } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Id } from '#core/ids.ts';
import { readJson } from '#core/json.ts';
import type { Clock } from '#sync/replica/ports.ts';
import {
  runContentSchema,
  runLimits,
  type RunContent,
  type RunOutcome,
  runOutcomeSchema,
  type TakenRun,
} from '#wire/macro-runs.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { MacroRunTable } from '../data/tables/device-tables.ts';
import type { Tables } from '../data/tables.ts';
import type { Bus } from '../live/bus.ts';
import { forgetMacroRuns } from './forgetting.ts';

type Taker = Pick<AccountActor, 'account' | 'session'>;
type StoredRun = Selectable<MacroRunTable>;

/** What has become of a run. `expired`: no device took it. `lost`: the one that did has not said what came of it. */
export type RunState = StoredRun['state'] | 'expired' | 'lost';

/** A run as a program may know it. */
export interface KnownRun extends Pick<StoredRun, 'account' | 'id' | 'macro'> {
  readonly isDry: boolean;
  readonly state: RunState;
  /** Null: nothing came of it so far. */
  readonly outcome: RunOutcome | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a program asks for. */
export interface AskedRun extends RunContent {
  readonly id: Id;
  readonly macro: Id;
  readonly isDry: boolean;
  /** The name of its token. */
  readonly program: string;
}

/** What storing runs needs. */
export interface MacroRunPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Pick<Clock, 'now'>;
  readonly bus: Pick<Bus, 'publish'>;
}

const markOf = ({ macro, isDry, tasks, values }: AskedRun) =>
  createHash('sha256')
    .update(JSON.stringify([macro, isDry, tasks, values]))
    .digest('base64url');

/** The runs of this installation. */
export class MacroRuns {
  readonly #ports: MacroRunPorts;

  constructor(ports: MacroRunPorts) {
    this.#ports = ports;
  }

  get #now(): number {
    return Math.round(this.#ports.clock.now());
  }

  /** Null: another run has this id. The same request again is the same run. */
  async start(account: number, asked: AskedRun): Promise<KnownRun | null> {
    const { db, bus } = this.#ports;
    const now = this.#now;
    await forgetMacroRuns(db, now);
    const { id, macro, tasks, values, program } = asked;
    const mark = markOf(asked);
    const run: StoredRun = {
      account,
      id,
      macro,
      is_dry: Number(asked.isDry),
      program,
      mark,
      content: JSON.stringify({ tasks, values }),
      state: 'waiting',
      taken_by: null,
      outcome: null,
      created_at: now,
      updated_at: now,
    };
    const made = await db
      .insertInto('macro_run')
      .values(run)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (Number(made.numInsertedOrUpdatedRows) > 0) {
      bus.publish({ type: 'runs', account });
      return this.#known(run);
    }
    const known = await this.#stored(account, id);
    return known?.mark === mark ? this.#known(known) : null;
  }

  /** Undefined: the account has none with this id, or not anymore. */
  async get(account: number, id: Id): Promise<KnownRun | undefined> {
    const run = await this.#stored(account, id);
    return run && this.#known(run);
  }

  /** Gives the run that has waited longest to this device, and to no other. Null: none waits. */
  async take({ account, session }: Taker): Promise<TakenRun | null> {
    const { db } = this.#ports;
    for (;;) {
      const now = this.#now;
      const waiting = await db
        .selectFrom('macro_run')
        .selectAll()
        .where('account', '=', account)
        .where('state', '=', 'waiting')
        .where('created_at', '>', now - runLimits.waitMs)
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      if (!waiting) return null;
      const taken = await db
        .updateTable('macro_run')
        .set({ state: 'running', taken_by: session, content: null, updated_at: now })
        .where('account', '=', account)
        .where('id', '=', waiting.id)
        .where('state', '=', 'waiting')
        .executeTakeFirst();
      const content = runContentSchema.safeParse(readJson(waiting.content));
      if (Number(taken.numUpdatedRows) === 0 || !content.success) continue;
      const { id, macro, is_dry: isDry, program } = waiting;
      return { id, macro, ...content.data, isDry: isDry === 1, program };
    }
  }

  /** Whose run it is; undefined: there is none that this device has taken. */
  async takenBy({ account, session }: Taker, id: Id): Promise<number | undefined> {
    const run = await this.#ports.db
      .selectFrom('macro_run')
      .select('account')
      .where('account', '=', account)
      .where('id', '=', id)
      .where('taken_by', '=', session)
      .executeTakeFirst();
    return run?.account;
  }

  /** Keeps what came of a run. What was said first counts. */
  async end(account: number, id: Id, outcome: RunOutcome): Promise<void> {
    await this.#ports.db
      .updateTable('macro_run')
      .set({ state: outcome.state, outcome: JSON.stringify(outcome), updated_at: this.#now })
      .where('account', '=', account)
      .where('id', '=', id)
      .where('state', '=', 'running')
      .execute();
  }

  #stored(account: number, id: Id): Promise<StoredRun | undefined> {
    return this.#ports.db
      .selectFrom('macro_run')
      .selectAll()
      .where('account', '=', account)
      .where('id', '=', id)
      .where('created_at', '>', this.#now - runLimits.keptMs)
      .executeTakeFirst();
  }

  #known(run: StoredRun): KnownRun {
    const { account, id, macro, outcome, created_at: createdAt, updated_at: updatedAt } = run;
    const now = this.#now;
    const isOver = run.state === 'waiting' && createdAt <= now - runLimits.waitMs;
    const isSilent = run.state === 'running' && updatedAt <= now - runLimits.silentMs;
    return {
      account,
      id,
      macro,
      isDry: run.is_dry === 1,
      state: isOver ? 'expired' : isSilent ? 'lost' : run.state,
      outcome: runOutcomeSchema.safeParse(readJson(outcome)).data ?? null,
      createdAt,
      updatedAt,
    };
  }
}
