// An earlier state of this program, built in a folder of its own beside this one, so that its servers can run together with those of today.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export interface EarlierBuild {
  readonly commit: string;
  /** The program of its server. */
  readonly main: string;
  remove(): void;
}

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr || stdout}`);
  return stdout.trim();
}

/** The last state before the newest change of the database's schema. Needs the history of the repository. */
export const beforeNewestSchema = (): string =>
  `${run('git', ['log', '-1', '--no-merges', '--format=%H', '--', 'src/server/data/migrations'], ROOT)}^`;

/** Runs on the packages of today: they hold what it needs, or it does not start and says so. */
export function buildEarlier(which: string): EarlierBuild {
  const commit = run('git', ['rev-parse', '--short', which], ROOT);
  const folder = mkdtempSync(join(tmpdir(), 'posthaste-earlier-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    run('sh', ['-c', `git archive ${commit} | tar -x -C ${folder}`], ROOT);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const build = "import('./scripts/web-build.ts').then(({ buildWeb }) => buildWeb({ force: true }))";
    run(process.execPath, ['--input-type=module', '--eval', build], folder);
  } catch (error) {
    remove();
    throw error;
  }
  return { commit, main: join(folder, 'src/server/main.ts'), remove };
}
