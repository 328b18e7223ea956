// The dialog of encryption where keys are concerned: a new key, the devices that have it, what opens it, and a device that forgets it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SealingStep } from '#client/sealing/view.ts';
import { listsRoot } from '#core/ids.ts';
import { SCOPE } from './desk-engine.ts';
import { SealedOffice } from './sealed-office.ts';

type Overview = Extract<SealingStep, { readonly type: 'overview' }>;

/** Encrypted to the end, without a copy that walks: there is nothing to be sealed. */
async function sealed(): Promise<{ readonly office: SealedOffice; readonly code: string }> {
  const office = new SealedOffice();
  const code = await office.turnOn();
  await finish(office);
  return { office, code };
}

/** What the copy of a device does when everything is in its form. */
async function finish(office: SealedOffice): Promise<void> {
  const done = await office.finish();
  assert.ok(done);
  await office.wait();
}

async function overview(office: SealedOffice): Promise<Overview> {
  const step = await office.run('sealing.overview');
  assert.equal(step?.type, 'overview');
  return step as Overview;
}

/** Makes a new key as a person does, and gives its code. */
async function renew(office: SealedOffice): Promise<string> {
  assert.equal((await office.run('sealing.rotate'))?.type, 'rotate');
  const shown = await office.answer({ action: 'next' });
  assert.ok(shown?.type === 'code' && shown.purpose === 'rotate');
  await office.typeAgain(shown);
  return shown.groups.join('-');
}

describe('the keys in the dialog of encryption', () => {
  test('[SEAL-178] a new key is made after a question and two groups of its code, and says that other devices need it', async () => {
    const { office, code } = await sealed();
    const before = office.server.directory;
    const asked = await office.run('sealing.rotate');
    assert.deepEqual(asked, { type: 'rotate', dropped: [], kept: [], published: [] });
    const shown = await office.answer({ action: 'next' });
    assert.ok(shown?.type === 'code');
    assert.notEqual(shown.groups.join('-'), code);
    await office.answer({ action: 'next' });
    const wrong = await office.answer({ action: 'send', values: { group0: 'XXXX', group1: 'XXXX' } });
    assert.ok(wrong?.type === 'type' && wrong.error !== null && wrong.purpose === 'rotate');
    assert.equal(office.server.directory, before);
    await office.answer({ action: 'back' });
    const moving = await office.typeAgain(shown);
    assert.ok(moving?.type === 'moving' && moving.isAnew);
    assert.deepEqual(office.server.state, { phase: 'sealing', generation: 2 });
    await finish(office);
    assert.ok(office.step?.type === 'overview');
    assert.match(office.step.said ?? '', /encrypted with the new key\. Your other devices need it/);
  });

  test('[SEAL-178] asks who it is where the server wants to know, and goes on by itself', async () => {
    const { office } = await sealed();
    office.server.isConfirmed = false;
    await renew(office);
    assert.equal(office.step?.type, 'confirm');
    assert.equal(office.server.state.generation, 1);
    const moving = await office.answer({ action: 'send', values: { password: 'long and winding' } });
    assert.equal(moving?.type, 'moving');
    assert.equal(office.server.state.generation, 2);
  });

  test('[SEAL-179] says before that the passphrase and passkeys stop working, and they do', async () => {
    const { office } = await sealed();
    await office.run('sealing.passphrase');
    const values = { passphrase: 'five unrelated words', again: 'five unrelated words' };
    await office.answer({ action: 'send', values });
    office.passkey = { credential: 'mine', answer: new Uint8Array(32).fill(7) };
    await overview(office);
    await office.answer({ action: 'addPasskey' });
    assert.deepEqual(await office.run('sealing.rotate'), {
      type: 'rotate',
      dropped: ['your passphrase', 'your passkeys'],
      kept: [],
      published: [],
    });
    await renew(office);
    await finish(office);
    const { hasPassphrase, hasPasskey } = await overview(office);
    assert.deepEqual([hasPassphrase, hasPasskey], [false, false]);
  });

  test('[SEAL-180] another device is told that there is a new key, and goes on with its code, not with the old one', async () => {
    const { office, code } = await sealed();
    const other = new SealedOffice(office.server);
    await other.run('sealing.unlock');
    await other.answer({ action: 'send', values: { code } });
    const next = await renew(office);
    await finish(office);
    const told = await overview(other);
    assert.deepEqual([told.isOn, told.isOpen, told.isOutdated], [true, false, true]);
    assert.equal((await other.run('sealing.give'))?.type, 'unlock');
    assert.equal((await other.run('sealing.rotate'))?.type, 'unlock');
    const asked = await other.run('sealing.unlock');
    assert.ok(asked?.type === 'unlock' && asked.isOutdated);
    const refused = await other.answer({ action: 'send', values: { code } });
    assert.ok(refused?.type === 'unlock' && refused.error !== null);
    const opened = await other.answer({ action: 'send', values: { code: next } });
    assert.ok(opened?.type === 'overview' && opened.isOpen && !opened.isOutdated);
  });

  test('[SEAL-180] also after encryption was turned off with the new key', async () => {
    const { office, code } = await sealed();
    const other = new SealedOffice(office.server);
    await other.run('sealing.unlock');
    await other.answer({ action: 'send', values: { code } });
    const next = await renew(office);
    await finish(office);
    await office.run('sealing.turnOff');
    await office.answer({ action: 'next' });
    await finish(office);
    assert.equal(office.server.state.phase, 'plain');
    assert.ok((await overview(other)).isOutdated);
    assert.equal((await other.run('sealing.turnOn'))?.type, 'overview');
    await other.run('sealing.unlock');
    const opened = await other.answer({ action: 'send', values: { code: next } });
    assert.ok(opened?.type === 'overview' && !opened.isOn && opened.isOpen);
  });

  test('[SEAL-181] lists the devices that said they have the key, with how and when they got it', async () => {
    const { office, code } = await sealed();
    const other = new SealedOffice(office.server);
    await other.run('sealing.unlock');
    await other.answer({ action: 'send', values: { code } });
    await other.announce();
    const seen = (await overview(office)).devices.map(({ name, how, isThis }) => [name, how, isThis]);
    assert.deepEqual(seen, [
      ['Chrome on Linux', 'made the key', true],
      ['Chrome on Linux', 'by the recovery code', false],
    ]);
    await renew(office);
    await finish(office);
    assert.deepEqual(
      (await overview(office)).devices.map(({ how, isThis }) => [how, isThis]),
      [['made the key', true]],
    );
  });

  test('[SEAL-182] passkeys and the passphrase are removed for good', async () => {
    const { office } = await sealed();
    await office.run('sealing.passphrase');
    const values = { passphrase: 'five unrelated words', again: 'five unrelated words' };
    await office.answer({ action: 'send', values });
    office.passkey = { credential: 'mine', answer: new Uint8Array(32).fill(7) };
    await overview(office);
    await office.answer({ action: 'addPasskey' });
    assert.ok((await overview(office)).hasPasskey);
    const without = await office.answer({ action: 'removePasskeys' });
    assert.ok(without?.type === 'overview' && !without.hasPasskey && without.hasPassphrase);
    const bare = await office.answer({ action: 'removePassphrase' });
    assert.ok(bare?.type === 'overview' && !bare.hasPassphrase);
    assert.deepEqual(Object.keys(office.server.wraps), ['code']);
    const other = new SealedOffice(office.server);
    other.passkey = office.passkey;
    await other.run('sealing.unlock');
    const refused = await other.answer({ action: 'usePasskey' });
    assert.ok(refused?.type === 'unlock' && refused.error !== null);
  });

  test('[SEAL-183] forgetting the key asks first, and says where no other device has it', async () => {
    const { office } = await sealed();
    assert.deepEqual(await office.run('sealing.forget'), {
      type: 'forget',
      isOn: true,
      kept: [],
      isOnly: true,
    });
    assert.equal(office.store.kept?.isLeaving, undefined);
    const waiting = await office.answer({ action: 'next' });
    assert.equal(waiting?.type, 'forgetting');
    // The copy locks its rows, and erases the key then.
    assert.equal(office.store.kept?.isLeaving, true);
    await office.store.erase();
    await office.wait();
    assert.ok(office.step?.type === 'overview' && !office.step.isOpen);
    assert.equal(office.step.said, 'This device has forgotten the key.');
    const refused = await office.run('sealing.forget');
    assert.ok(refused?.type === 'problem');
    assert.equal(refused.text, 'This device has no key.');
  });

  test('[SEAL-425] a device forgets the key offline, too, and says that the others aren’t told', async () => {
    const { office } = await sealed();
    office.server.answers = 0;
    office.desk.engine.setSync({ type: 'onDevice', waiting: 0, online: false });
    const offered = (command: string) => {
      office.desk.press('Mod+K');
      office.desk.type(command);
      const [first] = office.desk.app.view.palette.get()?.items ?? [];
      office.desk.press('Escape');
      return first?.unavailable ?? null;
    };
    assert.equal(offered('Forget the key on this device'), null);
    assert.match(offered('Make a new key') ?? '', /^Can’t reach the server/);
    const asked = await office.run('sealing.forget');
    assert.deepEqual(asked, { type: 'forget', isOn: true, isOnly: true, kept: [], isOffline: true });
    assert.equal((await office.answer({ action: 'next' }))?.type, 'forgetting');
    assert.equal(office.store.kept?.isLeaving, true);
    await office.store.erase();
    await office.wait();
    const said = office.step;
    assert.ok(said?.type === 'problem');
    assert.equal(
      said.text,
      'This device has no key, so what is encrypted is locked here. Go online to unlock it.',
    );
    // Other things about keys need the server, and say so.
    office.desk.app.closeDialog();
    assert.equal(await office.run('sealing.newCode'), null);
    office.server.answers = Infinity;
    office.desk.engine.setSync({ type: 'synced' });
    assert.equal((await office.run('sealing.unlock'))?.type, 'unlock');
  });

  test('[SEAL-184] with changes that aren’t on the server yet it keeps the key', async () => {
    const { office } = await sealed();
    const { operations } = office.desk.replica.issue([
      {
        a: 'create',
        id: office.desk.replica.newId(),
        type: 'list',
        fields: { name: 'waits', listType: 'list' },
        place: { parent: listsRoot(SCOPE) },
      },
    ]);
    office.desk.engine.known = { pending: operations };
    const step = await office.run('sealing.forget');
    assert.ok(step?.type === 'problem');
    assert.match(step.text, /aren’t on the server yet/);
  });

  test('[SEAL-190] that a server gave back older values is said once', async () => {
    const { office } = await sealed();
    const { kept } = office.store;
    assert.ok(kept !== null);
    office.store.kept = { ...kept, replays: 2 };
    await overview(office);
    const told = office.step;
    assert.ok(told?.type === 'overview');
    assert.match(told.warning ?? '', /^The server gave back 2 older values .* It kept the newer ones\./);
    assert.equal((await overview(office)).warning, null);
  });
});
