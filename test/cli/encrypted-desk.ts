// The command line beside a server where the account is end-to-end encrypted, turned on by a device as the app does it.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import { recoveryGroups } from '#core/sealing/recovery-code.ts';
import { GOOD_PASSWORD } from '../api/harness.ts';
import { AskedOffice } from '../sealing/asked-office.ts';
import { SealedDevice } from '../sealing/sealed-device.ts';
import { createDesk, type Desk } from './desk.ts';

export interface EncryptedDesk extends Desk {
  /** A device of the same account, with the key. */
  readonly device: SealedDevice;
  /** The recovery code as it is shown. */
  code: string;
  /** The person shows at the device who they are. */
  confirm(): Promise<void>;
  /** Another device of the account, without the key. */
  another(): Promise<SealedDevice>;
}

/** A desk whose account is encrypted. `hasKey`: the command line has the key, by the recovery code. */
export async function createEncryptedDesk(
  { hasKey = true }: { readonly hasKey?: boolean } = {},
  made?: Desk,
): Promise<EncryptedDesk> {
  const desk = made ?? (await createDesk());
  const { user } = desk;
  const { server, cookie, account } = user;
  const office = () =>
    new AskedOffice({
      account,
      scope: user.scope as Id,
      ask: async (path, body) => {
        const asked = body === undefined ? { cookie } : { cookie, method: 'POST', body };
        const response = await server.ask(path, asked);
        return { status: response.status, body: (await response.json()) as unknown };
      },
    });
  const confirm = async () => {
    const body = { password: GOOD_PASSWORD };
    assert.equal((await server.ask('/app/api/confirm', { method: 'POST', cookie, body })).status, 200);
  };
  const device = await new SealedDevice(office()).start();
  await confirm();
  const prepared = await device.turnOn();
  const code = recoveryGroups(prepared.code).join(' ');
  for (let turn = 0; turn < 20 && device.keys.state.phase !== 'sealed'; turn += 1) {
    await device.sync();
    await device.keys.load();
  }
  assert.equal(device.keys.state.phase, 'sealed');
  if (hasKey) {
    desk.input = `${code}\n`;
    const added = await desk.run('key', 'add');
    assert.deepEqual([added.code, added.err], [0, '']);
  }
  return Object.assign(desk, {
    device,
    code,
    confirm,
    another: () => new SealedDevice(office()).start(),
  });
}
