// The thread that verifies a backup while the server keeps answering. Its data is the path, its message the result.
import { parentPort, workerData } from 'node:worker_threads';
import { verifySqlite } from './sqlite-verify.ts';

parentPort?.postMessage(verifySqlite(String(workerData)));
