// `npm run check`: types, lint, format and the fast tests. Runs everything even when something fails, so that one run says all.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { filesUnder, ROOT } from './files.ts';

interface Step {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

const WORKERS = 2;

/** The script behind a command of a package; npm's own links in .bin are not scripts on every system. */
function programOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const { bin } = createRequire(import.meta.url)(manifest);
  return join(dirname(manifest), typeof bin === 'string' ? bin : (bin[name] ?? bin.tsc));
}

function typeSteps(): Step[] {
  const sources = filesUnder('src').filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'));
  const folders = {
    pure: /^src\/(?:core|wire|sync|client)\//,
    server: /^src\/server\//,
    browser: /^src\/(?:web|site)\//,
    desktop: /^src\/desktop\/(?!electron\/|page\/)/,
    electron: /^src\/desktop\/electron\//,
  };
  // The compiler refuses a configuration that matches no file.
  const used = Object.entries(folders).filter(([, pattern]) => sources.some((file) => pattern.test(file)));
  return [...used.map(([name]) => name), 'tests'].map((name) => ({
    name: `types (${name})`,
    program: programOf('typescript'),
    args: ['-p', `config/tsconfig.${name}.json`],
  }));
}

const steps: readonly Step[] = [
  { name: 'fast tests', program: join(ROOT, 'scripts/test.ts'), args: ['--only=unit'] },
  { name: 'lint', program: programOf('oxlint'), args: ['--deny-warnings'] },
  { name: 'format', program: programOf('oxfmt'), args: ['--check', '.'] },
  ...typeSteps(),
];

function run(step: Step): Promise<boolean> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [step.program, ...step.args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if (code !== 0) console.log(output.trimEnd());
      console.log(`${code === 0 ? '✔' : '✖'} ${step.name} (${seconds} s)`);
      resolve(code === 0);
    });
  });
}

const waiting = [...steps];
const outcomes: boolean[] = [];
async function work(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) outcomes.push(await run(step));
}
await Promise.all(Array.from({ length: WORKERS }, work));

const failed = outcomes.filter((isOk) => !isOk).length;
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${steps.length} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;
