// The devices of the account: requested from the server when somebody looks, cached while the app runs, and named in
// plain words. This device's own state comes from its engine. Loaded with the sync status and the history.
import { counted } from '#core/counted.ts';
import type { AccountFailure, DeviceInfo } from '../app/app.ts';
import type { Program } from '../app/program.ts';
import type { DeviceView, DevicesView } from './status-view.ts';

const MOST_SHOWN = 20;
const MINUTE_MS = 60_000;

const isList = (known: Program['devices']): known is readonly DeviceInfo[] => Array.isArray(known);

function listOf({ devices }: Program): readonly DeviceInfo[] {
  return isList(devices) ? devices : [];
}

/** Why the server cannot be asked; null: it can. */
function silence({ platform, engine }: Program): string | null {
  if (platform.account.email === null) return 'Without an account, this is your only device.';
  return engine.facts().detached === null ? null : 'Cloud sync is off. Turn it on to see your other devices.';
}

/** Asks the server; the cached answer stays until then. Also resolves on failure. */
export async function askDevices(program: Program): Promise<void> {
  if (silence(program) !== null) return;
  const answer: readonly DeviceInfo[] | AccountFailure = await program.platform.account.devices();
  if ('message' in answer && isList(program.devices)) return;
  program.devices = answer;
}

/** "Chrome on Linux", with its number if another has the same name; "Device 4" if nothing is known of it; "Posthaste": the server. */
export function deviceName(program: Program, number: number): string {
  const list = listOf(program);
  const { name = null, current = false, kind } = list.find((device) => device.number === number) ?? {};
  // Each tab has its own number.
  if (current) return 'This device';
  if (name === null) return kind === 'api' ? 'Posthaste' : `Device ${number}`;
  return list.filter((device) => device.name === name).length > 1 ? `${name} (device ${number})` : name;
}

/** It writes through the public API, with a token of the account. */
export function isProgram(program: Program, number: number): boolean {
  return listOf(program).some(
    ({ number: known, kind, name }) => known === number && kind === 'api' && name !== null,
  );
}

function heardText(program: Program, at: number | null): string {
  if (at === null) return 'Not heard from yet';
  if (program.replica.now() - at < MINUTE_MS) return 'Heard just now';
  const said = new Intl.DateTimeFormat(program.platform.locale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: program.platform.zone(),
  });
  return `Last heard ${said.format(at)}`;
}

const changeText = (number: number) =>
  number === 0 ? 'None of its changes are on the server' : `Its changes up to ${number} are on the server`;

/** This device according to its own engine: the server's state may be older. */
function here(program: Program): DeviceView {
  const { engine } = program;
  const { acked, heardAt, pending, digest, deviceNumber } = engine.facts();
  const waiting = pending.length;
  const name = listOf(program).find(({ number }) => number === deviceNumber)?.name ?? null;
  const isUnsent = waiting > 0;
  const state = isUnsent
    ? `${counted(waiting, 'change')} not synced yet`
    : digest === 'equal'
      ? 'Up to date'
      : 'Everything’s sent';
  return {
    number: deviceNumber,
    name: name === null ? 'This device' : `This device, ${name}`,
    isHere: true,
    heard: heardText(program, heardAt),
    change: changeText(acked),
    state,
    tone: isUnsent ? 'wait' : digest === 'equal' ? 'good' : 'plain',
  };
}

function elsewhere(program: Program, device: DeviceInfo): DeviceView {
  const { number, lastHeardAt, lastChange, upToDate, signedIn } = device;
  const state = upToDate ? 'Up to date when last heard' : 'May not have the newest changes';
  return {
    number,
    name: device.current ? `This browser (device ${number})` : deviceName(program, number),
    isHere: false,
    heard: heardText(program, lastHeardAt),
    change: changeText(lastChange),
    state: signedIn ? state : `${state}, signed out`,
    tone: upToDate ? 'good' : 'plain',
  };
}

/** Null without an account: then this is the only device. */
export function devicesView(program: Program): DevicesView | null {
  if (program.platform.account.email === null) return null;
  const { devices } = program;
  const { deviceNumber } = program.engine.facts();
  const others = listOf(program).filter(({ number, kind }) => number !== deviceNumber && kind !== 'api');
  const shown = others.slice(0, MOST_SHOWN).map((device) => elsewhere(program, device));
  const asking = devices === null ? 'Asking the server about your other devices…' : null;
  const failed = devices !== null && !isList(devices) ? devices.message : null;
  return {
    list: [here(program), ...shown],
    more: others.length - shown.length,
    note: silence(program) ?? asking ?? failed,
  };
}
