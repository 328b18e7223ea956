// `npm run dev`: the server, restarted when its files change, and the web app served by Vite with hot reloading.
// The browser talks to Vite only; what is not part of the web app is passed on to the server.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { ROOT } from './files.ts';

const port = process.env['PORT'] ?? '4040';
const web = 'http://localhost:5173';

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/server/main.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  // The server accepts requests of exactly one origin: while developing that is Vite's.
  env: { PUBLIC_URL: web, ...process.env, PORT: port },
});

const hasWeb = existsSync(join(ROOT, 'src/web/index.html'));
const vite = hasWeb
  ? await createServer({
      configFile: join(ROOT, 'config/vite.config.ts'),
      server: { proxy: { '^/(?!app/|app$|@)': { target: `http://127.0.0.1:${port}`, ws: true } } },
    })
  : undefined;
await vite?.listen();
if (vite) console.log(`The web app with hot reloading: ${web}/app/`);

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  server.kill('SIGTERM');
  await vite?.close();
}
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());
server.on('exit', (code) => {
  process.exitCode = isStopping ? 0 : (code ?? 1);
  void stop();
});
