// What `posthaste key` does: adding the key of an encrypted account by the recovery code or from a device, showing that it is there, forgetting
// it. Loaded when it is asked for.
import type { Id } from '#core/ids.ts';
import { turnWords, unlockWords, wayWords } from '#client/sealing/words.ts';
import { DeviceKeys } from '#sync/sealing/device-keys.ts';
import type { KeyAsker, Shown } from '#sync/sealing/pairing-desk.ts';
import type { SealingPlatform } from '#sync/sealing/ports.ts';
import { SealingDesk, type DeskState } from '#sync/sealing/sealing-desk.ts';
import { pairingLimits } from '#wire/pairing.ts';
import type { Call } from '../command.ts';
import { eraseDisks } from './disk.ts';
import { KeyFiles, type KeyPlace } from './key-file.ts';
import { pairingServerOf, type Line } from './network.ts';
import { markOf } from '../session.ts';
import { askSelf, placeOfToken } from './opening.ts';
import { platformOf } from './platform.ts';
import { Failure, wrongUse } from '../failure.ts';

const LOOK_EVERY_MS = 1_000;

/** What the commands work with: the account of the token, and its encryption. */
interface Bench {
  readonly line: Line;
  readonly place: KeyPlace;
  readonly owner: { readonly account: number; readonly scope: Id };
  readonly platform: SealingPlatform;
  readonly desk: SealingDesk;
}

function benchOf(call: Call, line: Line, place: KeyPlace): Bench {
  const owner = { account: place.account, scope: place.scope };
  const platform = platformOf(call.world, { line, files: new KeyFiles(call.folder), place });
  return { line, place, owner, platform, desk: new SealingDesk(platform, owner, pairingServerOf(line)) };
}

/** Asks the server. Rejects with a Failure. */
async function stateOf({ desk }: Bench): Promise<DeskState> {
  const state = await desk.state();
  if (state.ok) return state.value;
  throw new Failure(state.problem.type === 'offline' ? 'offline' : 'refused', state.problem.message);
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, '2026-11-29'.length);

/** By the recovery code or the passphrase, which is read without being shown. */
async function addByCode(call: Call, { desk }: Bench): Promise<void> {
  const typed = (await call.world.readSecret('Recovery code: ')).trim();
  if (typed === '') throw wrongUse('Reading the recovery code from the input.');
  const opened = await desk.unlock(typed);
  if (opened.ok) return;
  const kind = opened.problem.type === 'server' ? 'offline' : 'refused';
  throw new Failure(kind, unlockWords(opened.problem, typed));
}

/** Asks whether both show the same. Nothing is taken before that: the server could hand over a key of its own. */
async function compared({ world }: Call, asker: KeyAsker, { words, digits }: Shown): Promise<void> {
  world.warn(`Both show: ${words.join(' ')} (${digits})`);
  const said = await world.readLine('Does the other device show the same? [y/N] ');
  if (!/^y(?:es)?$/i.test(said.trim())) {
    await asker.end();
    throw new Failure('refused', 'No key was taken. Try again, or use the recovery code.');
  }
  asker.confirm();
}

/** From a device that has the key, once the person has compared what both show. */
async function addByPairing(call: Call, asker: KeyAsker): Promise<void> {
  const { world } = call;
  const until = world.now() + pairingLimits.keptMs;
  for (let state = await asker.begin(); ; state = await asker.look()) {
    if (!state.ok)
      throw new Failure(
        'type' in state.problem && state.problem.type === 'offline' ? 'offline' : 'refused',
        turnWords(state.problem),
      );
    const { value } = state;
    if (value.type === 'open') return;
    if (value.type === 'ended') throw new Failure('refused', 'The other device ended it. No key was given.');
    if (value.type === 'compare' && !value.isConfirmed) await compared(call, asker, value.shown);
    if (world.now() > until) {
      await asker.end();
      throw new Failure('refused', 'No device answered within five minutes. No key was given.');
    }
    await world.pause(LOOK_EVERY_MS);
  }
}

export async function add(call: Call): Promise<void> {
  const { world, session } = call;
  const { line, mark } = session.line();
  const self = await askSelf(line);
  const place: KeyPlace = { url: line.url, scope: self.scope as Id, account: self.account };
  const bench = benchOf(call, line, place);
  const state = await stateOf(bench);
  // The key of before encryption was turned off opens lists that stay encrypted.
  if (state.generation === 0)
    throw new Failure('refused', "This account isn't encrypted, so there's no key to add.");
  if (!state.isOpen) {
    if (call.has('pair')) {
      world.warn(
        'On a device that is unlocked, run “Give the key to another device” from the command palette, and choose this one.',
      );
      await addByPairing(call, bench.desk.pairing.asker());
    } else await addByCode(call, bench);
  }
  new KeyFiles(call.folder).keepToken(place, mark, self);
  await session.close();
  // Says among the devices that this machine has the key, and reads what is there with it.
  await session.ask((client) => client.listTasks({ limit: '1' }));
  call.names.forget();
  const said = state.isOpen ? 'The key is on this machine already.' : 'The key is on this machine now.';
  call.show({ success: true, is_new: !state.isOpen, name: bench.platform.name }, said);
}

const NONE = "There's no key of this account on this machine. Add it with: posthaste key add";

/** Null: its key isn't on this machine. */
async function ofToken(call: Call): Promise<Bench | null> {
  const { line, mark } = call.session.line();
  const found = await placeOfToken({
    line,
    mark,
    files: new KeyFiles(call.folder),
    warn: (text) => call.world.warn(text),
  });
  return found === null ? null : benchOf(call, line, found.place);
}

export async function show(call: Call): Promise<void> {
  const bench = await ofToken(call);
  if (bench === null) {
    call.show({ success: true, has_key: false }, NONE);
    return;
  }
  const kept = await bench.platform.keys.read();
  const state = await bench.desk.state();
  const { how = 'unknown', at = 0 } = kept?.holder ?? {};
  const isOutdated = state.ok ? state.value.isOutdated : null;
  const devices = state.ok ? state.value.devices : [];
  const isListed = devices.some(({ isThis }) => isThis);
  const { name } = bench.platform;
  const told = !state.ok
    ? 'The server can’t be asked now.'
    : isOutdated === true
      ? 'The account has a new key since. Add it with: posthaste key add'
      : `The list of devices has this machine as “${name}”.`;
  call.show(
    {
      success: true,
      has_key: true,
      since: at === 0 ? null : new Date(at).toISOString(),
      how,
      name,
      is_listed: isListed,
      is_outdated: isOutdated,
    },
    [`There's a key on this machine${at === 0 ? '' : ` since ${dayOf(at)}`} (${wayWords(how)}).`, told].join(
      '\n',
    ),
  );
}

/** Deletes a key and what was read with it. Tells the other devices, if the server can be asked. */
async function erase(call: Call, { owner, platform }: Bench): Promise<void> {
  const keys = new DeviceKeys(platform, owner);
  await keys.load();
  await keys.refresh();
  await keys.leave();
  await call.session.close();
  await keys.forget();
  eraseDisks(call.folder, owner.scope);
  call.names.forget();
}

/** Deletes the key of the account of the token, and what was read with it. */
export async function forget(call: Call): Promise<void> {
  const bench = await ofToken(call);
  if (bench === null) throw new Failure('missing', NONE);
  await erase(call, bench);
  call.show({ success: true }, 'The key is deleted on this machine.');
}

/** As `forget`, for a token that is about to be deleted. Never fails: where its account isn't known any more nothing is deleted. */
export async function forgetAt(call: Call, line: Line): Promise<void> {
  const files = new KeyFiles(call.folder);
  try {
    const found = await placeOfToken({
      line,
      mark: markOf(line.token),
      files,
      warn: (text) => call.world.warn(text),
    });
    if (found !== null) await erase(call, benchOf(call, line, found.place));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    call.world.warn(`${error.message} The key stays on this machine.`);
  }
}
