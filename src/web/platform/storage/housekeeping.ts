// What this device keeps for a while only: looked at once after each start, when nothing else is to be done.
import { expireQuarantine } from './quarantine.ts';
import { expireSafetyCopies } from './safety-copies.ts';

export async function expire(now: number): Promise<void> {
  await expireQuarantine(now);
  await expireSafetyCopies(now);
}
