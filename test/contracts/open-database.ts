// A process that opens a database, migrating it if need be, and ends; started by tests. Its argument is the options of
// `openDatabase` as JSON.
import { type DatabaseOptions, openDatabase } from '#server/data/database.ts';

const [, , options = ''] = process.argv;
const database = await openDatabase(JSON.parse(options) as DatabaseOptions);
await database.store.probe();
await database.close();
