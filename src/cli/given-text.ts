// Reads text from standard input, in whatever encoding programs write. Anything that is not text is refused.
import { decodeText } from '#core/formats/decode-text.ts';
import { wrongUse } from './failure.ts';
import type { World } from './world.ts';

function textOf(world: World, name: string, bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw wrongUse(`${name} ${decoded.problem}`);
  if (decoded.value.note !== null) world.warn(`${name}: ${decoded.value.note}`);
  return decoded.value.text;
}

/** The whole standard input. */
export async function readInputText(world: World): Promise<string> {
  return textOf(world, 'The input', await world.readInput());
}
