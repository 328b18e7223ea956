// Values of settings, read synchronously: account settings from their rows, device settings from preferences. A missing
// or unknown value reads as the setting's default.
import { settingId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import type { Platform } from '../app/app.ts';
import { createSignal, type Signal, type WritableSignal } from '../app/signal.ts';
import type { AnySetting, Setting, SettingValue } from './setting.ts';
import { fieldOf } from '#sync/rows/row.ts';

interface Watched {
  readonly setting: AnySetting;
  readonly signal: WritableSignal<SettingValue>;
}

/**
 * Reads, watches and changes settings. Changes of an account setting are actions; those of this device apply at once.
 */
export class Settings {
  readonly #replica: Replica;
  readonly #preferences: Platform['preferences'];
  readonly #ids = new Map<string, Id>();
  readonly #watched = new Map<string, Watched>();

  constructor(replica: Replica, preferences: Platform['preferences']) {
    this.#replica = replica;
    this.#preferences = preferences;
  }

  get<T extends SettingValue>(setting: Setting<T>): T {
    return this.#stored(setting) ?? setting.fallback;
  }

  /** Whether a value was set; else the default applies. */
  isSet(setting: AnySetting): boolean {
    return this.#stored(setting) !== null;
  }

  /** Follows the value, wherever it is changed. */
  signal<T extends SettingValue>(setting: Setting<T>): Signal<T> {
    const known = this.#watched.get(setting.key);
    if (known) return known.signal as unknown as Signal<T>;
    const signal = createSignal<SettingValue>(this.get(setting));
    this.#watched.set(setting.key, { setting, signal });
    return signal as unknown as Signal<T>;
  }

  /** The actions that set an account setting; null: back to the default. */
  actions({ key }: Pick<AnySetting, 'key'>, value: SettingValue | null): readonly Action[] {
    const id = this.#id(key);
    if (this.#replica.row(id) === undefined)
      return value === null ? [] : [{ a: 'create', id, type: 'setting', fields: { key, value } }];
    return [{ a: 'set', id, field: 'value', value }];
  }

  /** Sets a setting of this device; null: back to the default. */
  keep<T extends SettingValue>(setting: Setting<T>, value: T | null): void {
    this.#preferences.set(setting.key, value === null ? '' : String(value));
    this.#tell(setting.key);
  }

  apply(changes: readonly RowChange[]): void {
    if (this.#watched.size === 0) return;
    for (const { before, after } of changes) {
      const row = after ?? before;
      if (row?.type === 'setting') this.#tell(row.fields.key);
    }
  }

  #tell(key: string): void {
    const watched = this.#watched.get(key);
    watched?.signal.set(this.get(watched.setting));
  }

  #stored<T extends SettingValue>(setting: Setting<T>): T | null {
    if (setting.scope === 'account') {
      return setting.read(fieldOf(this.#replica.row(this.#id(setting.key)), 'value'));
    }
    const kept = this.#preferences.get(setting.key);
    return kept === null || kept === '' ? null : setting.read(kept);
  }

  #id(key: string): Id {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = settingId(this.#replica.scope, key);
    this.#ids.set(key, id);
    return id;
  }
}
