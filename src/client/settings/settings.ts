// The values of settings, read at once: those of the account from its rows, those of this device from its preferences. Where
// nobody has said anything, or something this version does not know, a setting's own fallback counts.
import { settingId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { Replica, RowChange } from '#sync/replica-types.ts';
import type { Platform } from '../app.ts';
import { createSignal, type Signal, type WritableSignal } from '../signal.ts';
import type { AnySetting, Setting, SettingValue } from './setting.ts';

interface Watched {
  readonly setting: AnySetting;
  readonly signal: WritableSignal<SettingValue>;
}

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

  /** Whether somebody has said so, or it is the fallback. */
  isSet(setting: AnySetting): boolean {
    return this.#stored(setting) !== null;
  }

  /** Tells of every later value, wherever it was changed. */
  signal<T extends SettingValue>(setting: Setting<T>): Signal<T> {
    const known = this.#watched.get(setting.key);
    if (known) return known.signal as unknown as Signal<T>;
    const signal = createSignal<SettingValue>(this.get(setting));
    this.#watched.set(setting.key, { setting, signal });
    return signal as unknown as Signal<T>;
  }

  /** What gives an account's setting this value; null: its fallback again. */
  actions({ key }: Pick<AnySetting, 'key'>, value: SettingValue | null): readonly Action[] {
    const id = this.#id(key);
    if (this.#replica.row(id) === undefined)
      return value === null ? [] : [{ a: 'create', id, type: 'setting', fields: { key, value } }];
    return [{ a: 'set', id, field: 'value', value }];
  }

  /** Gives a setting of this device a value; null: its fallback again. */
  keep<T extends SettingValue>(setting: Setting<T>, value: T | null): void {
    this.#preferences.set(setting.key, value === null ? '' : String(value));
    this.#tell(setting.key);
  }

  apply(changes: readonly RowChange[]): void {
    if (this.#watched.size === 0) return;
    for (const { before, after } of changes) {
      const row = after ?? before;
      if (row?.type === 'setting') this.#tell(row.fields.key as string);
    }
  }

  #tell(key: string): void {
    const watched = this.#watched.get(key);
    watched?.signal.set(this.get(watched.setting));
  }

  #stored<T extends SettingValue>(setting: Setting<T>): T | null {
    if (setting.scope === 'account') {
      return setting.read(this.#replica.row(this.#id(setting.key))?.fields.value);
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
