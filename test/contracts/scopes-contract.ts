// Several scopes on every engine: who hears what of them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { removeMember } from '#server/data/members.ts';
import type { Database } from '#server/data/database.ts';
import { openHouse, type House } from './house.ts';
import { Member } from './scopes-world.ts';
import { someId } from './store-samples.ts';

export function scopesContract(name: string, open: () => Promise<Database>): void {
  describe(`Several scopes on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settled = () => new Member(house).settle();

    test('[SYNC-97] a scope that an account has left is told from one that the server does not know', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope } = await ada.share(bob);
      const other = await ada.share();
      const cursors = Object.fromEntries(
        [scope, other.scope, ada.scope, someId()].map((id) => [id, { generation: 'lost', version: 7 }]),
      );
      const lost = Object.keys(cursors).slice(1);
      const asked = async (schema?: number) => {
        const { left, unknown } = await bob.sync([], {
          cursors,
          ...(schema === undefined ? {} : { schema }),
        });
        return { left, unknown };
      };
      assert.deepEqual(await asked(), { left: [], unknown: lost });
      bob.roles.delete(scope);
      assert.deepEqual(await asked(), { left: [], unknown: [scope, ...lost] });
      const left = { account: bob.account, scope, at: 5 };
      assert.equal(await removeMember(house.database.db, left), false, 'it was no member there any more');
      assert.deepEqual(await asked(), { left: [scope], unknown: lost });
      assert.deepEqual(await asked(5), { left: [scope, ...lost], unknown: undefined });
    });
  });
}
