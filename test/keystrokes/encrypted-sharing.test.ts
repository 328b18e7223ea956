// The share dialog and the invitation of lists that stay encrypted: what is sent when such a list begins, who is let in, and where its secret comes from.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { memberId, type Id } from '#core/ids.ts';
import { uncheckedDirectory } from '#sync/sealing/directory.ts';
import { withSecret } from '#client/sharing/kept-secrets.ts';
import type { InvitationView, ShareView } from '#client/sharing/sharing-view.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { asRow } from '#sync/rows/row.ts';
import { EncryptedLists } from './encrypted-lists.ts';
import { START } from './desk-engine.ts';
import { offline, SharingServer, tellShared } from './sharing-server.ts';
import { SealedOffice } from './sealed-office.ts';

const ANN = 2;

/** An encrypted account, number 1, with one list, open; and what the server has of encrypted lists. */
async function encrypted() {
  const server = new SharingServer();
  server.link = null;
  const lists = new EncryptedLists();
  const office = new SealedOffice(undefined, undefined, undefined, { port: server, lists: lists.of(1) });
  await office.typeAgain(await office.code());
  await office.finishAndClose();
  const { desk } = office;
  desk.app.run('list.create', { name: 'Canary trip' });
  desk.press('Ctrl+Enter');
  desk.type('Canary book');
  desk.press('Escape');
  desk.confirm();
  const list = desk.lists().find((line) => line.name === 'Canary trip')?.id as Id;
  server.onChange = (what) => {
    if (what === 'keep' && server.begun !== null)
      lists.begin(server.begun.scope as Id, server.begun.directory);
  };
  const share = (): ShareView => {
    const dialog = desk.app.view.dialog.get();
    return must(dialog?.type === 'share' ? dialog.share : null, 'the share dialog');
  };
  const answer = async (action: 'keep' | 'again') => {
    desk.app.answer('share', { action });
    await office.settled();
  };
  return { office, server, lists, desk, list, share, answer };
}

/** As `encrypted`, with the list shared as it is, and its dialog open. */
async function kept() {
  const here = await encrypted();
  const { office, server, lists, desk, list, answer } = here;
  lists.members.push(1);
  desk.press('Mod+S');
  await office.settled();
  await answer('keep');
  const scope = must(server.encrypted, 'the scope');
  tellShared(desk, list, scope);
  await office.settled();
  /** Ann is a member of the list for the server. */
  const annComes = () => {
    lists.members.push(ANN);
    const row = {
      id: memberId(scope, ANN),
      type: 'member',
      fields: { account: ANN, role: 'member', name: 'Ann', joinedAt: START },
      scope,
      version: 2,
      stamp: [2, START, 9, 1],
      createdAt: START,
      updatedAt: START,
    } as const;
    receivePage(desk.replica, [asRow(row)]);
  };
  return { ...here, scope, annComes };
}

describe('sharing a list that stays encrypted, by its dialog', () => {
  test('[SHARE-357] a list that is kept encrypted for a public link says so where that dialog was closed', async () => {
    const { office, server, desk, list, lists } = await encrypted();
    lists.members.push(1);
    desk.app.run('list.createPublicLink');
    await office.settled();
    server.onTheWay.push({ state: 'filling', moved: 0, total: 1 });
    desk.app.answer('publicLinks', { action: 'keep' });
    desk.press('Escape');
    await office.settled();
    assert.equal(desk.app.view.dialog.get(), null);
    assert.doesNotMatch(desk.message, /shared/);
    tellShared(desk, list, must(server.encrypted, 'the scope'));
    await office.settled();
    assert.match(desk.message, /^‘Canary trip’ is shared now\./);
  });

  test('[SEAL-312] “Keep this list encrypted” sends keys and no word, and the link has the secret', async () => {
    const { office, server, desk, list, share, answer, lists } = await encrypted();
    lists.members.push(1);
    desk.press('Mod+S');
    await office.settled();
    assert.equal(share().step, 'offer');
    assert.notEqual(share().offer?.decrypting, null);
    server.onTheWay.push({ state: 'filling', moved: 0, total: 2 });
    await answer('keep');
    assert.deepEqual(
      server.asked.filter((what) => what === 'share' || what === 'keep'),
      ['keep'],
    );
    const begun = must(server.begun, 'what it begins with');
    assert.doesNotMatch(JSON.stringify(begun), /anary/);
    const directory = uncheckedDirectory(begun.directory);
    assert.deepEqual([directory?.scope, directory?.state.phase], [begun.scope, 'sealing']);
    assert.equal(office.server.state.lists, undefined, 'nothing is opened for it');
    assert.deepEqual([share().step, share().isDecrypting], ['moving', false]);
    tellShared(desk, list, begun.scope as Id);
    desk.timers.advance(400);
    await office.settled();
    assert.equal(share().step, 'sheet');
    assert.ok(server.asked.some((what) => what.startsWith('new link')));
    const address = share().link?.address ?? '';
    assert.match(address, /#k=[\w-]{43}$/);
    const ann = await lists.somebody(ANN);
    const joined = await ann.join(begun.scope as Id, address.split('#k=')[1] ?? '');
    assert.ok(joined.ok, JSON.stringify(joined));
  });

  test('[SEAL-312] where the server can’t be reached or refuses, the list stays private and encrypted', async () => {
    const { office, server, desk, share, answer } = await encrypted();
    desk.press('Mod+S');
    await office.settled();
    server.failure = offline;
    await answer('keep');
    assert.deepEqual([share().step, share().problem], ['offer', offline.message]);
    server.failure = { type: 'refused', message: 'Your lists aren’t all encrypted right now.' };
    await answer('keep');
    assert.deepEqual(
      [share().step, share().problem],
      ['offer', 'Your lists aren’t all encrypted right now.'],
    );
    assert.equal(server.begun, null);
    server.failure = null;
    await answer('keep');
    assert.equal(share().problem, null);
  });

  test('[SEAL-313] somebody without the key is let in once their words were shown, and reads the list', async () => {
    const { office, lists, desk, share, answer, scope, annComes } = await kept();
    const ann = await lists.somebody(ANN);
    annComes();
    await answer('again');
    const before = must(
      share().keys?.find(({ account }) => account === ANN),
      'Ann',
    );
    assert.deepEqual([before.canLetIn, before.words], [false, null]);
    assert.match(before.text, /They have no encrypted account/);
    // Devices tell the keys of their people when they first hear of the list.
    const keys = ann.keysHere(scope);
    await keys.load();
    await keys.announce();
    const said = await lists.of(1).server(scope).read();
    const directory = said.ok && said.value.directory !== null && uncheckedDirectory(said.value.directory);
    lists.exchange(1, must((directory || null)?.people?.members['1'], 'Ida'));
    await answer('again');
    const shown = must(
      share().keys?.find(({ account }) => account === ANN),
      'Ann',
    );
    assert.equal(shown.canLetIn, true);
    assert.equal(shown.words?.split(' ').length, 16);
    const seen = await ann.people(scope);
    assert.equal(seen.ok && seen.value.find(({ account }) => account === 1)?.words?.join(' '), shown.words);
    assert.equal((await ann.keysOf(scope)).ok, false);
    desk.app.answer('share', { action: 'letIn', account: ANN });
    await office.settled();
    assert.equal(share().said?.text, 'Ann can read the list now.');
    assert.deepEqual(
      share().keys?.map(({ text, canLetIn }) => [text, canLetIn]),
      [['Can read it.', false]],
    );
    assert.ok((await ann.keysOf(scope)).ok, 'she has the key');
  });

  test('[SEAL-394] once somebody was removed the link of before is offered no more', async () => {
    const { office, desk, share, annComes } = await kept();
    annComes();
    await office.settled();
    assert.match(share().link?.address ?? '', /#k=/);
    desk.app.answer('share', { action: 'remove', account: ANN });
    desk.app.answer('share', { action: 'yes' });
    await office.settled();
    assert.match(share().said?.text ?? '', /^Removed Ann\..*needs a new link\./);
    assert.equal(share().link, null);
  });

  test('[SEAL-313] nobody is let in whose keys are others than those whose words were shown', async () => {
    const { office, lists, desk, share, answer, scope, annComes } = await kept();
    const [ann, other] = [await lists.somebody(ANN), await lists.somebody(ANN)];
    annComes();
    for (const each of [other, ann]) {
      const keys = each.keysHere(scope);
      await keys.load();
      await keys.announce();
    }
    await answer('again');
    assert.equal(share().keys?.[0]?.canLetIn, true);
    // The server exchanges them after the words were shown.
    const keys = other.keysHere(scope);
    await keys.load();
    lists.exchange(ANN, must(keys.participant, 'keys').identity.shown);
    desk.app.answer('share', { action: 'letIn', account: ANN });
    await office.settled();
    assert.equal(
      share().said?.text,
      'The keys of this person have changed meanwhile. Compare the words again.',
    );
    for (const each of [ann, other]) assert.equal((await each.keysOf(scope)).ok, false);
  });
});

describe('an invitation to an encrypted list', () => {
  /** Ida, account 1, invited by Ann to her encrypted list, with the secret of its link. */
  async function invited() {
    const here = await encrypted();
    const { server, lists, desk, list } = here;
    const ann = await lists.somebody(ANN);
    const founded = await ann.found();
    assert.ok(founded.ok);
    const { scope, directory } = founded.value;
    lists.begin(scope, directory);
    lists.members.push(ANN, 1);
    const secret = await ann.secretOf(scope);
    assert.ok(secret.ok);
    server.encrypted = scope;
    const invitation = (): InvitationView => {
      const dialog = desk.app.view.dialog.get();
      return must(dialog?.type === 'invitation' ? dialog.invitation : null, 'the invitation');
    };
    const join = async () => {
      server.belongsTo = list;
      desk.app.answer('invitation', { action: 'join' });
      await here.office.settled();
    };
    return { ...here, scope, secret: secret.value, invitation, join };
  }

  test('[SEAL-310] opens by the secret that the page of the invitation has kept, wherever the app was opened', async () => {
    const { office, server, desk, invitation, join, scope, secret, lists } = await invited();
    server.secrets = withSecret(null, { token: 'tok-9', secret }, 1_000);
    desk.app.follow('/app/open?u=web%2Bposthaste%3Aaccept-list-invite%2Ftok-9');
    await office.settled();
    assert.equal(invitation().isEncrypted, true);
    await join();
    const ida = await lists.of(1).server(scope).read();
    assert.ok(ida.ok);
    const people = uncheckedDirectory(must(ida.value.directory, 'the directory'))?.people;
    assert.deepEqual(Object.keys(people?.members ?? {}), ['1', String(ANN)]);
    assert.equal(desk.message, 'You’re in. The list is encrypted: only its people can read it.');
    assert.equal(server.secrets, null, 'it is kept no longer');
  });

  test('[SEAL-310] without any secret says so, and nothing is taken', async () => {
    const { office, desk, join, scope, lists } = await invited();
    desk.app.follow('/app/open/accept-list-invite/tok-9');
    await office.settled();
    await join();
    const said = await lists.of(1).server(scope).read();
    assert.ok(said.ok);
    const people = uncheckedDirectory(must(said.value.directory, 'the directory'))?.people;
    assert.deepEqual(Object.keys(people?.members ?? {}), [String(ANN)]);
    assert.match(desk.message, /This link no longer opens the encrypted list/);
  });

  test('[SEAL-310] is kept with its secret while the person signs up or turns encryption on', async () => {
    const { office, server, desk, secret, invitation } = await invited();
    server.failure = { type: 'signedOut', message: 'Sign in.' };
    desk.app.follow('/app/open/accept-list-invite/tok-9');
    await office.settled();
    server.secrets = withSecret(null, { token: 'tok-9', secret }, 1_000);
    assert.equal(invitation().way, 'signIn');
    desk.app.answer('invitation', { action: 'signUp' });
    await office.settled();
    assert.deepEqual([server.kept, server.keptSecret('tok-9')], ['tok-9', secret]);
  });
});
