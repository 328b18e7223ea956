// A process that works as the leader of a database and never looks whether it still is: it is stopped in the middle of that.
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { openGenerations } from '#server/care/generations.ts';
import { systemClock } from '#server/clock.ts';
import { openDatabase } from '#server/data/database.ts';
import { DeposedError, fenced } from '#server/data/fence.ts';

const [url = ''] = process.argv.slice(2);
const database = await openDatabase({ url, dataDir: '' });
const self = { id: randomUUID(), build: '1', protocol: 8, keyFingerprint: 'k', bucket: 'b' };
await openGenerations(database, systemClock, { self });
const { term } = database.presence.leadership;
if (term === null) throw new Error('Another process leads.');
await fenced(term, async () => {
  for (let written = 0; ; written += 1)
    try {
      await sql`INSERT INTO proof (term) VALUES (${sql.lit(term)})`.execute(database.db);
      if (written === 10) console.log('leading');
    } catch (error) {
      if (!(error instanceof DeposedError)) continue;
      console.log('deposed');
      break;
    }
});
await database.close();
