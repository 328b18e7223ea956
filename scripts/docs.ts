// Writes what is made from the code anew: the API's document and client, and the tables of the docs. Tests compare both.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

for (const name of ['api-files.ts', 'tables.ts']) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(name, import.meta.url))], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
