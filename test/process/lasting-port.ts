// A port for a server that ends and comes back at the same address. Others cannot have it meanwhile: systems take the ports of
// their own choice, for servers on port 0 and for every outgoing connection, from above 32,767.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const HIGHEST = 30_000;

/** Somebody else's port is said by an error. */
async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const isTaken = once(probe, 'error').then(() => true);
  probe.listen(port);
  if (await Promise.race([isTaken, once(probe, 'listening').then(() => false)])) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}

export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
}
