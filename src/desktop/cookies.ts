// The session at the server. Its cookie is never in the page: it is kept in the system's keychain, and goes with each request of the program.
import type { Keychain } from './shell.ts';

/** `name=value` of a `Set-Cookie` header; null value: the server takes it away. */
function readCookie(header: string): readonly [name: string, value: string | null] | null {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  if (at < 1) return null;
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
  const isOver = attributes.some((attribute) => /^max-age=(?:0|-\d+)$/i.test(attribute));
  return [name, isOver || value === '' ? null : value];
}

/** The cookies of one server. */
export class Cookies {
  readonly #kept = new Map<string, string>();
  readonly #keychain: Keychain;
  readonly #name: string;
  readonly #changed: () => void;
  #loading: Promise<void> | null = null;
  /** The system has no keychain: the session lasts until the program ends. */
  isKept = true;

  /** `name`: by which the keychain tells them apart. `changed`: they came, or went. */
  constructor(keychain: Keychain, name: string, changed: () => void = () => undefined) {
    this.#keychain = keychain;
    this.#name = name;
    this.#changed = changed;
  }

  /** Resolves once it is known what was kept: a keychain that is locked asks the person first. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    const text = await this.#keychain.read(this.#name);
    for (const pair of (text ?? '').split('; ')) {
      const read = readCookie(pair);
      if (read !== null && read[1] !== null) this.#kept.set(read[0], read[1]);
    }
  }

  /** For the `Cookie` header; empty: there is none. */
  get header(): string {
    return [...this.#kept].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Takes over what an answer sets. Resolves once it is kept. */
  async take(headers: readonly string[]): Promise<void> {
    const before = this.header;
    for (const header of headers) {
      const read = readCookie(header);
      if (read === null) continue;
      const [name, value] = read;
      if (value === null) this.#kept.delete(name);
      else this.#kept.set(name, value);
    }
    if (this.header === before) return;
    this.#changed();
    this.isKept = await this.#keychain.write(this.#name, this.header === '' ? null : this.header);
  }

  /** The session is over, also in the keychain. */
  async forget(): Promise<void> {
    this.#kept.clear();
    await this.#keychain.write(this.#name, null);
  }
}
