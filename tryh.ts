import { Cluster } from './test/process/nodes/cluster.ts';
import { runHistories } from './test/process/nodes/histories.ts';
const c = await Cluster.start(3);
try { console.log(await runHistories(c, { seed: Number(process.argv[2]), histories: 100, atOnce: 10, standsMs: 1500 }), c.counts); } catch (e) { console.log('FAILED', (e as Error).message.slice(0, 1500)); }
await c.close(); process.exit(0);
