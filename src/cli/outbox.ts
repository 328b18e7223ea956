// Typed input that has not reached the server: written to disk before anything is sent, deleted once the server has it.
// Every task has its id from the beginning, so that sending again creates nothing twice.
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { NewTask, Task } from '#wire/api/client.ts';
import { interpret, type Interpreted, type Said, saidSchema } from './entry.ts';
import { Failure, type FailureKind } from './failure.ts';
import type { Names } from './names.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { Session } from './session.ts';
import type { World } from './world.ts';

const FOLDER = 'outbox';
/** How many are sent before another command runs; more would delay it. */
const MOST_BEFORE = 20;
const MOST_TASKS = 500;
const MOST_BYTES = 900_000;

const waitingSchema = z.object({
  id: z.string(),
  url: z.string(),
  account: z.string(),
  said: saidSchema,
  /** Why it is not sent again automatically; null: it is. */
  problem: z.nullable(z.string()),
});
/** An entry of the outbox, for the server and account it was typed for. */
export type Waiting = z.infer<typeof waitingSchema>;

/** Result of sending one entry: the tasks created, and how the line was understood. */
export interface Sent {
  readonly tasks: readonly Task[];
  readonly understood: readonly string[];
  readonly warnings: readonly string[];
}

/** Failures after which the outbox retries by itself. */
const PASSING: ReadonlySet<FailureKind> = new Set(['offline', 'limit', 'access']);
/** Failures before anything was sent, which the person at the keyboard can correct right away. */
const MISTYPED: ReadonlySet<FailureKind> = new Set(['usage', 'missing']);

/** A task that was not added: the reason, and the entry it stays in. */
export class NotAdded extends Failure {
  readonly waiting: Waiting;
  readonly isSentLater: boolean;
  readonly isKept: boolean;

  constructor(cause: Failure, waiting: Waiting, isKept = true) {
    super(cause.kind, cause.message, { retryMs: cause.retryMs });
    this.waiting = waiting;
    this.isSentLater = isKept && PASSING.has(cause.kind) && !cause.isForbidden;
    this.isKept = isKept;
  }
}

const asFailure = (error: unknown) =>
  error instanceof Failure ? error : new Failure('unexpected', String(error));

/** Splits tasks into calls of at most the size the server accepts. */
function portions(bodies: readonly NewTask[]): readonly (readonly NewTask[])[] {
  const all: NewTask[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const body of bodies) {
    const size = Buffer.byteLength(JSON.stringify(body)) + 1;
    const last = all.at(-1);
    if (last === undefined || last.length === MOST_TASKS || bytes + size > MOST_BYTES) {
      all.push([body]);
      bytes = size;
    } else {
      last.push(body);
      bytes += size;
    }
  }
  return all;
}

export class Outbox {
  readonly #world: World;
  readonly #folder: PrivateFolder;
  readonly #session: Session;
  readonly #names: Names;

  constructor(world: World, around: { folder: PrivateFolder; session: Session; names: Names }) {
    this.#world = world;
    this.#folder = around.folder;
    this.#session = around.session;
    this.#names = around.names;
  }

  /** Oldest first. */
  all(): readonly Waiting[] {
    return this.#folder.names(FOLDER).flatMap((name) => {
      const waiting = this.#folder.read(join(FOLDER, name), waitingSchema);
      if (waiting === null)
        this.#world.warn(`${join(this.#folder.path, FOLDER, name)} can't be read. It stays there.`);
      return waiting ?? [];
    });
  }

  #write(waiting: Waiting): void {
    this.#folder.write(join(FOLDER, `${waiting.id}.json`), waiting);
  }

  drop(id: string): void {
    this.#folder.remove(join(FOLDER, `${id}.json`));
  }

  /** Writes the entry to disk, then sends it. Rejects with NotAdded; an entry that failed before sending is not kept. */
  async add(said: Said): Promise<Sent> {
    const { url, account } = this.#session;
    const waiting = { id: this.#world.newId(), url: url ?? '', account, said, problem: null };
    try {
      this.#write(waiting);
    } catch (error) {
      // Sending may work where writing does not; if both fail, the text is printed.
      this.#world.warn(
        `It could not be written down: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    let made: Interpreted;
    try {
      made = await interpret(waiting.id, said, this.#names);
    } catch (error) {
      const failure = asFailure(error);
      if (!MISTYPED.has(failure.kind)) return this.#failed(waiting, failure);
      this.drop(waiting.id);
      throw new NotAdded(failure, waiting, false);
    }
    return this.#sent(waiting, () => made);
  }

  send(waiting: Waiting): Promise<Sent> {
    return this.#sent(waiting, () => interpret(waiting.id, waiting.said, this.#names));
  }

  #failed(waiting: Waiting, failure: Failure): never {
    const notAdded = new NotAdded(failure, waiting);
    const problem = notAdded.isSentLater ? null : failure.message;
    if (problem !== waiting.problem) this.#write({ ...waiting, problem });
    throw notAdded;
  }

  async #sent(waiting: Waiting, read: () => Interpreted | Promise<Interpreted>): Promise<Sent> {
    try {
      const sent = await this.#deliver(await read());
      this.drop(waiting.id);
      return sent;
    } catch (error) {
      return this.#failed(waiting, asFailure(error));
    }
  }

  async #deliver(made: Interpreted): Promise<Sent> {
    const tasks: Task[] = [];
    const warnings = [...made.warnings];
    for (const bodies of portions(made.bodies)) {
      const answer = await this.#make(bodies);
      tasks.push(...answer.tasks);
      warnings.push(...answer.warnings);
    }
    return { tasks, understood: made.understood, warnings };
  }

  async #make(bodies: readonly NewTask[]): Promise<{ tasks: readonly Task[]; warnings: readonly string[] }> {
    const [only] = bodies;
    try {
      if (bodies.length === 1 && only) {
        const { task, warnings = [] } = await this.#session.ask((client) => client.createTask(only));
        return { tasks: [task], warnings };
      }
      const send = () =>
        this.#session.askPatiently((client) => client.createItems({ create_bodies: bodies }));
      const { todo_items: tasks, warnings = [] } = await send();
      return { tasks, warnings };
    } catch (error) {
      // Only we use this id: an earlier try created the task, and it has been moved to the trash since.
      if (error instanceof Failure && error.isTaken) return { tasks: [], warnings: [] };
      throw error;
    }
  }

  /**
   * Whether it is for this server and account. Entries typed before anybody signed in belong to whichever account signs in.
   */
  isOurs({ url, account }: Waiting): boolean {
    return url === '' || (url === this.#session.url && account === this.#session.account);
  }

  /** Entries of this server and account that are sent automatically. */
  due(): readonly Waiting[] {
    return this.all().filter((waiting) => waiting.problem === null && this.isOurs(waiting));
  }

  /** Sends waiting entries, as many as go quickly. Prints what became of them, and never fails. */
  async sendDue(): Promise<void> {
    let sent = 0;
    for (const waiting of this.due().slice(0, MOST_BEFORE)) {
      try {
        const { tasks } = await this.send(waiting);
        sent += tasks.length;
      } catch (error) {
        if (!(error instanceof NotAdded)) throw error;
        if (error.isSentLater) break;
        this.#world.warn(
          `Not added: ${waiting.said.text.split('\n')[0] ?? ''}\n${error.message} See: posthaste outbox`,
        );
      }
    }
    if (sent > 0) this.#world.warn(`Sent ${sent === 1 ? 'one task' : `${sent} tasks`} from the outbox.`);
  }
}
