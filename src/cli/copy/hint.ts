// What is said where an account is encrypted and its key isn't on this machine.
import { sealingServerOf, type Line } from './network.ts';

/** The sentence; null: the account isn't encrypted, or the server can't be asked. */
export async function hintFor(line: Line): Promise<string | null> {
  const state = await sealingServerOf(line).read();
  if (!state.ok || state.value.state.phase === 'plain') return null;
  return 'This account is encrypted. To read and write it here, add its key with: posthaste key add';
}
