// Collects the jobs of one turn of the event loop into one durable transaction: one fsync for all of them. If the group
// fails, each job is tried alone, so that one bad job costs nobody else their answer.

const LARGEST_GROUP = 128;

interface Waiting<Job, Result> {
  readonly job: Job;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface GroupCommit<Job, Result> {
  /** Resolves after the commit. */
  submit(job: Job): Promise<Result>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/**
 * `commit` runs a group in one transaction and returns one result per job. `nextTurn` calls back in a later turn of the
 * loop. One group is under way at a time; jobs arriving meanwhile form the next.
 */
export function createGroupCommit<Job, Result>(ports: {
  commit(jobs: readonly Job[]): Promise<readonly Result[]>;
  nextTurn(work: () => void): void;
}): GroupCommit<Job, Result> {
  let waiting: Waiting<Job, Result>[] = [];
  let busy = false;
  const idlers: (() => void)[] = [];

  async function commitGroup(group: readonly Waiting<Job, Result>[]): Promise<void> {
    try {
      const results = await ports.commit(group.map((member) => member.job));
      group.forEach((member, index) => member.resolve(results[index] as Result));
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const member of group) await commitGroup([member]);
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, LARGEST_GROUP);
      waiting = waiting.slice(LARGEST_GROUP);
      await commitGroup(group);
    }
    busy = false;
    for (const wake of idlers.splice(0)) wake();
  }

  return {
    submit(job) {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        if (busy) return;
        busy = true;
        ports.nextTurn(() => void drain());
      });
    },
    idle() {
      if (!busy) return Promise.resolve();
      return new Promise((resolve) => {
        idlers.push(resolve);
      });
    },
  };
}
