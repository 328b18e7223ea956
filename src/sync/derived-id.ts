// Ids that follow from what a thing is, so that two devices which make it make one thing.
import { completionId, inboxId, mineId, settingId, type Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Fields } from './row.ts';

/** The id that an entity of this type with these fields must have, where it is derived; else null. */
export function derivedId(type: EntityType, fields: Fields, scope: Id): Id | null {
  if (type === 'mine') return mineId(scope, fields.of as Id);
  if (type === 'setting') return settingId(scope, fields.key as string);
  if (type === 'completion') return completionId(fields.task as Id, fields.occ as number);
  if (type === 'list' && fields.listType === 'inbox') return inboxId(scope);
  return null;
}
