// Ids that follow from an entity's content, so that two devices that create it create one entity.
import { completionIds, inboxId, memberId, mineId, mountId, settingId, type Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { readField, type FieldName, type FieldValue } from '#core/model.ts';
import type { ActionOf, Reoffer } from './operation.ts';

type Create = ActionOf<'create'>;

/** The ids that an entity of this type with these fields may have; empty: its id is chosen freely. */
export function derivedIds(given: Create | Reoffer, scope: Id): readonly Id[] {
  const field = <Name extends FieldName>(name: Name): NonNullable<FieldValue<Name>> =>
    must(readField(given.fields, name), 'it was checked') as NonNullable<FieldValue<Name>>;
  if (given.type === 'mine') return [mineId(scope, field('of'))];
  if (given.type === 'setting') return [settingId(scope, field('key'))];
  if (given.type === 'completion') return completionIds(scope, field('task'), field('occ'));
  if (given.type === 'mount') return [mountId(scope, field('of'))];
  if (given.type === 'member') return [memberId(scope, field('account'))];
  const isInbox = given.type === 'list' && readField(given.fields, 'listType') === 'inbox';
  return isInbox ? [inboxId(scope)] : [];
}
