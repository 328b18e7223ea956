// Writes a backup and removes old ones, and is killed at a step: for backup-kill.test.ts. Arguments: the folder, the number of the step, and
// the moment of the backup.
import { prune, writeBackup } from '#cli/backup/files.ts';
import { join } from 'node:path';
import { takeLock } from '#cli/file-lock.ts';

const [folder = '', at = '', moment = ''] = process.argv.slice(2);
let steps = 0;
const onStep = () => {
  steps += 1;
  if (steps === Number(at)) process.kill(process.pid, 'SIGKILL');
};

const unlock = takeLock(join(folder, '.posthaste-backup.lock'), 'Another backup', 0);
const name = writeBackup(
  folder,
  {
    account: 'one',
    at: Number(moment),
    entities: 3,
    isOfOneMoment: true,
    files: [
      { name: 'posthaste.json', text: '[1, 2, 3]', count: (text) => (JSON.parse(text) as unknown[]).length },
      { name: 'posthaste.md', text: `# Tasks of ${moment}\n`, count: null },
    ],
  },
  onStep,
);
prune(folder, { account: 'one', name, keep: 2 }, onStep);
unlock();
process.stdout.write(`${steps}\n`);
