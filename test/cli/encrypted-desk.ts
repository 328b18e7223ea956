// The command line beside a server where the account is end-to-end encrypted, turned on by a device as the app does it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { KeyFiles } from '#cli/copy/key-file.ts';
import { openCalls } from '#cli/copy/opening.ts';
import { platformOf } from '#cli/copy/platform.ts';
import { PrivateFolder } from '#cli/private-folder.ts';
import type { World } from '#cli/world.ts';
import type { Id } from '#core/ids.ts';
import { DeviceKeys } from '#sync/sealing/device-keys.ts';
import { apiUserOf, checkShape, type Answer, type ApiUser } from '../api/api-world.ts';
import { recoveryGroups } from '#core/sealing/recovery-code.ts';
import { GOOD_PASSWORD } from '../api/harness.ts';
import { AskedOffice } from '../sealing/asked-office.ts';
import { SealedDevice } from '../sealing/sealed-device.ts';
import { createDesk, SERVER, type Desk } from './desk.ts';

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

/** The user of the API by a program of its own that has the key: it calls as the tests of the API do. */
async function userWithKey({ user, folder }: Desk, code: string): Promise<ApiUser> {
  const { server, token, account } = user;
  const send: World['send'] = (url, { method, headers, body }) =>
    Promise.resolve(
      server.services.app.request(new URL(url).pathname + new URL(url).search, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      }),
    );
  const line = { url: `${SERVER}/api`, token, send };
  const own = new PrivateFolder({ POSTHASTE_HOME: join(folder, 'of-the-user') });
  const files = new KeyFiles(own);
  const place = { url: line.url, scope: user.scope, account };
  const newId = () => randomUUID() as Id;
  const world = { now: () => server.clock.now(), newId, warn: () => undefined } as unknown as World;
  const platform = platformOf(world, { line, files, place });
  const keys = new DeviceKeys(platform, { account, scope: user.scope });
  assert.ok((await keys.unlock(code)).ok);
  const calls = await openCalls({ world, line, mark: 'user', folder: own });
  assert.ok(calls);
  return apiUserOf(user, async (method, path, body, ask = {}) => {
    const url = new URL(`${SERVER}${path.startsWith('/api') ? '' : '/api'}${path}`);
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const own = 'bearer' in ask ? null : await calls.answer(url, line.url, { method, headers: {}, ...text });
    if (own === null) return user.call(method, path, body, ask);
    const answer = {
      status: own.status,
      body: JSON.parse(await own.text()) as Answer['body'],
      headers: new Headers(),
    };
    checkShape(method, path, answer);
    return answer;
  });
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
    user: await userWithKey(desk, code),
    device,
    code,
    confirm,
    another: () => new SealedDevice(office()).start(),
  });
}
