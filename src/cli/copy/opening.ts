// Opens the copy of the account that a token belongs to, where its key is on this machine.
import type { Id } from '#core/ids.ts';
import type { CopySelf } from '#wire/api/copy.ts';
import { Failure } from '../failure.ts';
import type { PrivateFolder } from '../private-folder.ts';
import type { World } from '../world.ts';
import { CopyCalls } from './calls.ts';
import { Copy } from './copy.ts';
import { openDisk } from './disk.ts';
import { KeyFiles, type KeyPlace } from './key-file.ts';
import { selfOf, type Line } from './network.ts';
import { platformOf } from './platform.ts';

/** What opening needs. `mark`: tells the token from others without revealing it. */
export interface OpeningPorts {
  readonly world: World;
  readonly line: Line;
  readonly mark: string;
  /** Of the command line. */
  readonly folder: PrivateFolder;
}

/** Whose token it is, as the server says. Rejects with a Failure. */
export async function askSelf(line: Line): Promise<CopySelf> {
  const self = await selfOf(line);
  if (self.ok) return self.value;
  throw new Failure(self.problem.type === 'offline' ? 'offline' : 'access', self.problem.message);
}

/** The key on this machine that belongs to a token, and whose the token is. Null: there is none. Asks the server once for each token. */
export async function placeOfToken({
  line,
  mark,
  files,
  warn,
}: Pick<OpeningPorts, 'line' | 'mark'> & {
  readonly files: KeyFiles;
  readonly warn: World['warn'];
}): Promise<{
  readonly place: KeyPlace;
  readonly self: CopySelf;
} | null> {
  const places = files.at(line.url);
  let isOfAnother = false;
  for (const place of places) {
    const self = files.tokenOf(place, mark);
    if (self?.scope === place.scope) return { place, self };
    isOfAnother ||= self !== null;
  }
  if (places.length === 0 || isOfAnother) return null;
  const self = await askSelf(line);
  const place = places.find(({ scope }) => scope === (self.scope as Id));
  for (const known of place === undefined ? places : [place]) files.keepToken(known, mark, self);
  if (place !== undefined) return { place, self };
  // Nothing but the server's word: a person who counts on the key is told, once.
  warn(
    'This token is for another account than the key on this machine, so it reads and writes without the key.',
  );
  return null;
}

/** The calls of the API from the copy of the token's account; null: its key isn't on this machine. */
export async function openCalls(ports: OpeningPorts): Promise<CopyCalls | null> {
  const { world, line, folder } = ports;
  const files = new KeyFiles(folder);
  const found = await placeOfToken({ ...ports, files, warn: (text) => world.warn(text) });
  if (found === null) return null;
  const { place, self } = found;
  if (files.close(place)) world.warn('Others on this machine could read the saved key. Now only you can.');
  let isOver = false;
  const platform = platformOf(world, { line, files, place, isOver: () => isOver });
  const disk = openDisk(folder, place.scope, world.now());
  const copy = new Copy({ line, self, platform, disk, now: () => world.now() });
  const close = () => {
    isOver = true;
    disk.close();
  };
  return new CopyCalls({ copy, disk: { close }, self, world });
}
