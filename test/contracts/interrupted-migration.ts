// A process that dies in the middle of a migration; started by tests. Its argument is the options of `openDatabase` as JSON.
import { type DatabaseOptions, openDatabase } from '#server/data/database.ts';
import { migrations, newestVersion } from '#server/data/migrate.ts';

const [, , options = ''] = process.argv;
const version = newestVersion() + 1;
await openDatabase({
  ...(JSON.parse(options) as DatabaseOptions),
  migrations: [
    ...migrations,
    {
      version,
      name: 'interrupted',
      async up(target) {
        await target.run('CREATE TABLE half (id text)');
        await target.run("UPDATE scope SET digest = 'ffffffffffffffff'");
        await target.run('DROP TABLE tombstone');
        process.kill(process.pid, 'SIGKILL');
        // The signal is asynchronous; nothing after this line may run.
        await new Promise(() => setInterval(() => undefined, 1_000));
      },
    },
  ],
});
