// The system's keychain, by libsecret: GNOME Keyring, KWallet, and whatever else answers for it.
import type Gio from 'gi://Gio?version=2.0';
import Secret from 'gi://Secret?version=1';
import type { Keychain } from '../shell.ts';
import { laterOrNull } from './async.ts';

const schema = new Secret.Schema('app.posthaste.Desktop', Secret.SchemaFlags.NONE, {
  name: Secret.SchemaAttributeType.STRING,
});

type Done = (source: unknown, result: Gio.AsyncResult) => void;

export const keychain: Keychain = {
  read: (name) =>
    laterOrNull(
      (done: Done) => Secret.password_lookup(schema, { name }, null, done),
      (result) => Secret.password_lookup_finish(result),
    ),
  async write(name, text) {
    if (text === null) {
      const answer = await laterOrNull(
        (done: Done) => Secret.password_clear(schema, { name }, null, done),
        // False also where there was none.
        (result) => Secret.password_clear_finish(result) || true,
      );
      return answer === true;
    }
    const isKept = await laterOrNull(
      (done: Done) =>
        Secret.password_store(
          schema,
          { name },
          Secret.COLLECTION_DEFAULT,
          `Posthaste: ${name}`,
          text,
          null,
          done,
        ),
      (result) => Secret.password_store_finish(result),
    );
    return isKept === true;
  },
};
