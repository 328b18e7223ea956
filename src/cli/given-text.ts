// Reads text from standard input or a file, in whatever encoding programs write. Anything that is not text is refused.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeText } from '#core/formats/decode-text.ts';
import { Failure, wrongUse } from './failure.ts';
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

/** `path` is relative to the folder the command runs in. */
export function readFileText(world: World, path: string): string {
  const whole = resolve(world.folder, path);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(whole);
  } catch (error) {
    throw new Failure('missing', error instanceof Error ? error.message : String(error));
  }
  return textOf(world, path, bytes);
}
