// What was typed and has not reached the server: written down before anything is sent, taken away once the server has it. Every
// task has its id from the beginning, so that sending again makes nothing twice.
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
/** Sent before another command; more would make it wait. */
const MOST_BEFORE = 20;
const MOST_TASKS = 500;
const MOST_BYTES = 900_000;

const waitingSchema = z.object({
  id: z.string(),
  url: z.string(),
  account: z.string(),
  said: saidSchema,
  /** Why it is not sent again by itself; null: it is. */
  problem: z.nullable(z.string()),
});
export type Waiting = z.infer<typeof waitingSchema>;

export interface Sent {
  readonly tasks: readonly Task[];
  readonly understood: readonly string[];
  readonly warnings: readonly string[];
}

/** With these it is worth sending again by itself. */
const PASSING: ReadonlySet<FailureKind> = new Set(['offline', 'limit', 'access', 'unexpected']);

/** What was not added, with the reason. */
export class NotAdded extends Failure {
  readonly waiting: Waiting;
  readonly isSentLater: boolean;

  constructor(cause: Failure, waiting: Waiting) {
    super(cause.kind, cause.message, { retryMs: cause.retryMs });
    this.waiting = waiting;
    this.isSentLater = PASSING.has(cause.kind);
  }
}

/** As many in one call as the server takes at once. */
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
        this.#world.warn(`${join(this.#folder.path, FOLDER, name)} cannot be read; it is left there.`);
      return waiting ?? [];
    });
  }

  #write(waiting: Waiting): void {
    this.#folder.write(join(FOLDER, `${waiting.id}.json`), waiting);
  }

  drop(id: string): void {
    this.#folder.remove(join(FOLDER, `${id}.json`));
  }

  /** Writes it down, then sends it. Rejects with NotAdded. */
  async add(said: Said): Promise<Sent> {
    const { url, account } = this.#session;
    const waiting = { id: this.#world.newId(), url: url ?? '', account, said, problem: null };
    try {
      this.#write(waiting);
    } catch (error) {
      // Sending may work where writing does not; if it does not either, the text is printed.
      this.#world.warn(
        `It could not be written down: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    return this.send(waiting);
  }

  async send(waiting: Waiting): Promise<Sent> {
    try {
      const sent = await this.#deliver(waiting);
      this.drop(waiting.id);
      return sent;
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure('unexpected', String(error));
      const notAdded = new NotAdded(failure, waiting);
      const problem = notAdded.isSentLater ? null : failure.message;
      if (problem !== waiting.problem) this.#write({ ...waiting, problem });
      throw notAdded;
    }
  }

  async #deliver({ id, said }: Waiting): Promise<Sent> {
    const made: Interpreted = await interpret(id, said, this.#names);
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
      // The id is ours alone: what has it was made by an earlier try, and put into the trash since.
      if (error instanceof Failure && error.isTaken) return { tasks: [], warnings: [] };
      throw error;
    }
  }

  /** Of this server and account, what would be sent by itself. */
  #due(): readonly Waiting[] {
    const { url, account } = this.#session;
    // What was typed before anybody signed in is for who does.
    const isOurs = (waiting: Waiting) =>
      waiting.url === '' || (waiting.url === url && waiting.account === account);
    return this.all().filter((waiting) => waiting.problem === null && isOurs(waiting));
  }

  /** Sends what waits, as far as that goes quickly. Says what became of it, and never fails. */
  async sendDue(): Promise<void> {
    let sent = 0;
    for (const waiting of this.#due().slice(0, MOST_BEFORE)) {
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
    if (sent > 0) this.#world.warn(`Sent ${sent === 1 ? 'one task' : `${sent} tasks`} that waited.`);
  }
}
