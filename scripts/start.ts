// `npm start`: brings the web app and the site up to date when their sources changed, then becomes the server process. Building is
// a process of its own: this one runs under flags of Node that programs which build do not bear (run.mjs).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('bring-up-to-date.ts', import.meta.url));
const child = spawn(process.execPath, [build], { stdio: 'inherit' });
const stop = (signal: NodeJS.Signals) => {
  child.kill(signal);
  process.exit(1);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
const [code] = (await once(child, 'exit')) as [number | null];
if (code !== 0) process.exit(code ?? 1);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop);
// The path is computed because the server is the next program, not a part of this one.
await import(new URL('../src/server/main.ts', import.meta.url).href);
