// What a program and all processes that it started hold in memory.
import { readdirSync, readFileSync } from 'node:fs';

const KB_PER_MB = 1_024;

/** Null: it ended meanwhile. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** The process that started it. */
function parentOf(pid: string): string {
  const stat = read(`/proc/${pid}/stat`) ?? '';
  // The second field is a name in brackets, which may hold spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '';
}

export interface Memory {
  readonly processes: number;
  /** What is shared with others counts by its part (PSS). */
  readonly mb: number;
}

export function memoryOf(pid: string): Memory {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [name, parentOf(name)]),
  );
  const isOurs = (of: string): boolean => of === pid || (parents.has(of) && isOurs(parents.get(of) ?? ''));
  const ours = [...parents.keys()].filter(isOurs);
  const kilobytes = ours.map((each) =>
    Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${each}/smaps_rollup`) ?? '')?.[1] ?? 0),
  );
  return { processes: ours.length, mb: kilobytes.reduce((sum, each) => sum + each, 0) / KB_PER_MB };
}
