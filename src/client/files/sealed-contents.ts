// Contents of attachments in an encrypted account: sealed before they are kept to be sent, and opened before they are shown or saved. What seals
// and opens is sync/sealing/sealed-files.ts. A lazy part.
import type { Id } from '#core/ids.ts';
import type { SealedContent } from '#core/model.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import type { AttachmentRow } from '#sync/rows/row.ts';
import type { FileProblem, SealedFiles } from '#sync/sealing/sealed-files.ts';
import { LOCKED, UNLOADED } from '../sealing/words.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import type { FileOpening, SealContent } from './port.ts';

/** Why a content isn't opened, as a sentence. */
function openingWords(problem: FileProblem, name: string): string {
  const which = quoted(name);
  switch (problem.type) {
    case 'no-key':
      return `${which} is encrypted, and this device doesn’t have its key. Unlock it with your recovery code first.`;
    case 'newer':
      return `${which} was encrypted by a newer version of Posthaste. Update this one to open it.`;
    default:
      return `${which} was changed or damaged on the server, so nothing of it was opened.`;
  }
}

/** What seals and opens contents here, with the own keys or those of an encrypted list; null: it can't be had now. */
async function filesOf({ platform }: Program, list: Id | null): Promise<SealedFiles | null> {
  try {
    return await (await platform.account.sealing()).files(list);
  } catch {
    // Without an account or without the code of it; the sentence says so.
    return null;
  }
}

/** What seals the content of an attachment of a scope. */
export interface ContentSealing {
  readonly seal: SealContent;
  /** What the row says of the content; null before it is sealed. */
  content(): SealedContent | null;
}

/** How contents of a scope are sealed before they leave; null: they go as they are. A sentence: nothing can be attached now. */
export async function contentSealing(
  program: Program,
  scope: Id,
): Promise<Result<((attachment: Id) => ContentSealing) | null, string>> {
  const { engine, replica } = program;
  const isList = engine.facts().lists?.[scope] !== undefined;
  if (!isList && (scope !== replica.scope || !engine.facts().isApart)) return ok(null);
  const files = await filesOf(program, isList ? scope : null);
  if (files === null) return failed(UNLOADED);
  if (files.form === 'locked') return failed(LOCKED);
  if (files.form === 'plain') return ok(null);
  return ok((attachment) => {
    let content: SealedContent | null = null;
    return {
      async seal(bytes) {
        const sealed = await files.seal(attachment, bytes);
        if (!sealed.ok) return failed(LOCKED);
        content = sealed.value.content;
        return sealed;
      },
      content: () => content,
    };
  });
}

/** How the content of an attachment is opened; null: it is as it is. */
export function openingOf(program: Program, row: AttachmentRow): FileOpening | null {
  const { content, name = '' } = row.fields;
  if (lockedOf(row)?.['content'] !== undefined)
    return {
      hash: '',
      open: () => Promise.resolve(failed(openingWords({ type: 'no-key', generation: 0 }, name))),
    };
  if (content === undefined || content === null) return null;
  return {
    hash: content.hash,
    async open(sealed) {
      const files = await filesOf(program, content.scope ?? null);
      if (files === null) return failed(UNLOADED);
      const opened = await files.open(content, sealed);
      return opened.ok ? opened : failed(openingWords(opened.problem, name));
    },
  };
}
