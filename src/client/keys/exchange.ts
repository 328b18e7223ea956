// Keys as a file: to keep, to share, to move to another account.
import { isRecord, readJson } from '#core/json.ts';
import { failed, ok, type Result } from '#core/result.ts';
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

/** The problem, of no such file or one of a later version, is a sentence. */
export function readKeyFile(text: string): Result<KeyFile, string> {
  const json = readJson(text);
  if (json === undefined) return failed('This isn’t a hotkey file. Hotkey files are JSON.');
  if (!isRecord(json) || json['format'] !== FORMAT) return failed('This isn’t a hotkey file.');
  const { version, preset: id } = json;
  if (version !== VERSION) return failed('Another version of Posthaste made this file.');
  const preset = presets.find((known) => known.id === id);
  if (!preset) return failed(`There’s no set of keys “${String(id)}”.`);
  const own = readOwnKeys(json);
  return own.ok ? ok({ preset, own: own.value }) : own;
}
