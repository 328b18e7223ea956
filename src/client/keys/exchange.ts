// Keys as a file: to be kept, shown to others, taken to another account.
import { isRecord, readJson } from '#core/json.ts';
import { type OwnKeys, readOwnKeys } from './own-keys.ts';
import { type Preset, presets } from './presets.ts';

const FORMAT = 'posthaste-keys';
const VERSION = 1;

export interface KeyFile {
  readonly preset: Preset;
  readonly own: OwnKeys;
}

export function writeKeyFile({ preset, own }: KeyFile): string {
  const { add, drop } = own;
  return `${JSON.stringify({ format: FORMAT, version: VERSION, preset: preset.id, add, drop }, null, 2)}\n`;
}

/** A sentence where it is no such file, or one of a later version. */
export function readKeyFile(text: string): KeyFile | string {
  const json = readJson(text);
  if (json === undefined) return 'That is no file of keys: it is not JSON.';
  if (!isRecord(json) || json['format'] !== FORMAT) return 'That is no file of keys.';
  const { version, preset: id } = json;
  if (version !== VERSION) return 'That file was written by another version of Posthaste.';
  const preset = presets.find((known) => known.id === id);
  if (!preset) return `There is no set of keys “${String(id)}”.`;
  const own = readOwnKeys(json);
  return typeof own === 'string' ? own : { preset, own };
}
