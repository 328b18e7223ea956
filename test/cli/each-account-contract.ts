// Suites that hold in every account: in a plain one, and in one that is encrypted, for programs with its key. The calls of the API go to a server
// in the one and to the copy of such a program in the other (cli/copy/); commands are the same.
import { describe } from 'node:test';
import { withApi, type ApiUser } from '../api/api-world.ts';
import { createDesk, type Desk } from './desk.ts';
import { createEncryptedDesk } from './encrypted-desk.ts';

/** Gives the user of a new account to some work. */
type WithApi = (work: (user: ApiUser) => Promise<void>) => Promise<void>;

const withKey: WithApi = async (work) => {
  const desk = await createEncryptedDesk();
  try {
    await work(desk.user);
  } finally {
    await desk.device.close();
    await desk.close();
  }
};

const openEncrypted = async (): Promise<Desk> => {
  const desk = await createEncryptedDesk();
  const close = desk.close.bind(desk);
  return Object.assign(desk, { close: () => desk.device.close().then(close) });
};

const AND = 'in an encrypted account, with its key';

/** A suite about calls of the API. */
export function callsInEachAccount(
  name: string,
  suite: (of: { readonly withApi: WithApi; readonly isEncrypted: boolean }) => void,
): void {
  describe(name, () => suite({ withApi, isEncrypted: false }));
  describe(`[SEAL-283] ${name}, ${AND}`, () => suite({ withApi: withKey, isEncrypted: true }));
}

/** A suite about commands. `open` opens the command line of a new account. */
export function commandsInEachAccount(
  name: string,
  suite: (of: { readonly open: () => Promise<Desk>; readonly isEncrypted: boolean }) => void,
): void {
  describe(name, () => suite({ open: () => createDesk(), isEncrypted: false }));
  describe(`[SEAL-284] ${name}, ${AND}`, () => suite({ open: openEncrypted, isEncrypted: true }));
}
