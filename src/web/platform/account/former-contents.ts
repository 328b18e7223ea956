// Contents of attachments that stay on this device when their account is erased: opened while the key is here, as nobody opens them afterwards.
// Then they wait, like all that no server has any more.
import type { Id } from '#core/ids.ts';
import type { AttachmentRow, Row } from '#sync/rows/row.ts';
import type { SealingPlatform } from '#sync/sealing/ports.ts';
import { DeviceKeys } from '#sync/sealing/device-keys.ts';
import { SealedFiles } from '#sync/sealing/sealed-files.ts';
import { contentWork } from '../storage/content-work.ts';
import { keepContent, storeContent } from '../storage/file-store.ts';

/** Opens a content that this device keeps; answers its hash, or null where it isn't here or doesn't open. */
async function opened(files: SealedFiles, { fields }: AttachmentRow): Promise<string | null> {
  const { content, hash = '' } = fields;
  // What is sealed with the key of a list belongs to others, too, and goes with them.
  if (content === undefined || content === null || content.scope !== undefined) return null;
  if ((await contentWork.kept(content.hash)) !== null) return content.hash;
  const sealed = await contentWork.kept(hash);
  const open = sealed === null ? null : await files.open(content, sealed);
  if (open?.ok !== true) return null;
  await storeContent(content.hash, open.value);
  return content.hash;
}

/** Keeps what this device has of the contents that rows of an account name, for the copy that it becomes. `open`: where its keys are. */
export async function keepFormer(
  owner: { readonly account: number; readonly scope: Id },
  rows: Iterable<Row>,
  open: (account: number) => Promise<SealingPlatform>,
): Promise<void> {
  const attachments = [...rows].filter((row): row is AttachmentRow => row.type === 'attachment');
  const hashes = attachments.flatMap(({ fields }) => fields.hash ?? []);
  if (attachments.some(({ fields }) => fields.content !== undefined)) {
    const platform = await open(owner.account);
    const keys = new DeviceKeys(platform, owner);
    await keys.load();
    const files = new SealedFiles(keys, { work: contentWork, random: platform.random });
    for (const row of attachments) {
      const hash = await opened(files, row);
      if (hash !== null) hashes.push(hash);
    }
  }
  await keepContent(owner.scope, hashes);
}
