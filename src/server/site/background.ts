// Work that an answer does not wait for, so that its duration does not reveal whether there was any.
import { errorDetail, type Logger } from '../observe/log.ts';

export interface Background {
  /** Starts at once; a failure is logged under this name. */
  run(name: string, work: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export function createBackground(log: Logger): Background {
  const underWay = new Set<Promise<void>>();
  return {
    run(name, work) {
      const done = work()
        .catch((error: unknown) => log.error(name, errorDetail(error)))
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
