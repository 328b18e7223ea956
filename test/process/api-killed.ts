// The real server process, killed again and again while programs write through the public API: what it answered is there
// afterwards, once; what it did not answer is there once or not at all, and sending it again does not make it twice.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, type Task } from '#wire/api/client.ts';
import { ApiError } from '#wire/api/client-core.ts';
import { SeededRandom } from '../simulator/random.ts';
import { startServerChild, type ServerChild } from './server-child.ts';

/** Each has a write under way when the server is killed: many of them make one kill worth many. */
const PROGRAMS = 24;
/** The server dies after so many answers: a count, because a time means little on a busy machine. */
const FEWEST_ANSWERS = 20;
const MOST_ANSWERS = 150;

/** A program that makes tasks with ids of its own and changes them, and sends again what was not answered. */
class Program {
  /** Title of each task as it was last acknowledged. */
  readonly titles = new Map<string, string>();
  readonly #random: SeededRandom;
  #waiting: { readonly id: string; readonly title: string; readonly isNew: boolean } | null = null;
  #count = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Writes until the server is gone. */
  async write(client: ApiClient, answered: () => void): Promise<void> {
    for (;;) {
      this.#count += 1;
      const known = [...this.titles.keys()];
      const isNew = known.length === 0 || this.#random.chance(0.6);
      const title = `title ${this.#count}`;
      this.#waiting ??= { id: isNew ? randomUUID() : this.#random.pick(known), title, isNew };
      const { id, title: wanted, isNew: isCreation } = this.#waiting;
      try {
        const { task } = isCreation
          ? await client.createTask({ id, title: wanted })
          : await client.updateTask(id, { title: wanted });
        assert.equal(task.title, wanted);
      } catch (error) {
        // A refusal would be wrong; a broken connection is what this test is about.
        if (error instanceof ApiError || error instanceof assert.AssertionError) throw error;
        return;
      }
      this.titles.set(id, wanted);
      this.#waiting = null;
      answered();
    }
  }

  /** What may have been written without its answer. */
  get unanswered(): string | null {
    return this.#waiting?.id ?? null;
  }
}

function clientOf({ address }: ServerChild, token?: string): ApiClient {
  return new ApiClient({ url: `${address}/api`, token, send: (url, init) => fetch(url, init) });
}

async function everything(client: ApiClient): Promise<readonly Task[]> {
  const tasks: Task[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await client.listTasks({ cursor });
    tasks.push(...page.tasks);
    cursor = page.next_cursor;
  }
  return tasks;
}

function look(tasks: readonly Task[], programs: readonly Program[]): void {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  assert.equal(titles.size, tasks.length, 'no task twice');
  const known = new Set(programs.flatMap(({ titles: own, unanswered }) => [...own.keys(), unanswered]));
  assert.deepEqual(
    [...titles.keys()].filter((id) => !known.has(id)),
    [],
    'nothing that nobody made',
  );
  for (const { titles: own, unanswered } of programs)
    for (const [id, title] of own)
      if (id !== unanswered) assert.equal(titles.get(id), title, `task ${id} was acknowledged as ${title}`);
}

/** Rejects with what is wrong. Resolves with the number of acknowledged tasks. */
export async function runApiKilled({ rounds, seed }: { rounds: number; seed: number }): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-api-kill-'));
  const random = new SeededRandom(seed);
  let server = await startServerChild(dataDir);
  try {
    const { token } = await clientOf(server).signUp({
      email: 'kill@example.com',
      password: 'violet anchor under moss',
    });
    const programs = Array.from({ length: PROGRAMS }, () => new Program(random.fork()));
    for (let round = 0; round < rounds; round += 1) {
      const client = clientOf(server, token);
      const enough = Promise.withResolvers<void>();
      let left = random.between(FEWEST_ANSWERS, MOST_ANSWERS);
      const answered = () => {
        left -= 1;
        if (left === 0) enough.resolve();
      };
      const writing = programs.map((program) => program.write(client, answered));
      // A program that fails before says why.
      await Promise.race([enough.promise, ...writing]);
      await server.kill();
      await Promise.all(writing);
      const cut = programs.filter(({ unanswered }) => unanswered !== null).length;
      assert.ok(cut > PROGRAMS / 2, `${cut} writes were under way`);
      server = await startServerChild(dataDir);
      look(await everything(clientOf(server, token)), programs);
    }
    return programs.reduce((sum, { titles }) => sum + titles.size, 0);
  } finally {
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
