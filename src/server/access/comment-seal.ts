// Signs what a comment says and whose it is, with every write. A server that was put back to an older state takes a comment back
// from any device that holds it as it was, and from nobody as it never was: a member cannot make another one say something.
import type { Id } from '#core/ids.ts';
import { type CommentFields, isEntityType, readField } from '#core/model.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { type Row, withFields } from '#sync/rows/row.ts';
import type { Sealing } from '../accounts/sealing.ts';

/** Signs comments, and recognizes what it has signed. */
export interface CommentSeal {
  /** The row with its signature; other rows as they are. */
  sealed(row: Row): Row;
  /** Whether an operation brings back a comment exactly as this server has had it. `row`: the comment, if it is there. */
  isProven(operation: Operation, row: Row | undefined): boolean;
}

type Said = { readonly [Name in 'author' | 'text' | 'del']?: CommentFields[Name] | null | undefined };

function textOf(id: Id, { author, text, del }: Said): string {
  return JSON.stringify(['comment', id, author ?? 0, text ?? '', del?.at ?? null, del?.by ?? null]);
}

/** With the key of the server, which is not in a backup of the database alone. */
export function createCommentSeal({ sign, isSigned }: Pick<Sealing, 'sign' | 'isSigned'>): CommentSeal {
  return {
    sealed(row) {
      if (row.type !== 'comment') return row;
      const seal = sign(textOf(row.id, row.fields));
      return row.fields.seal === seal ? row : withFields(row, { ...row.fields, seal });
    },
    isProven(operation, row) {
      if (operation.a !== 'reoffer' || operation.type !== 'comment' || !isEntityType(operation.type))
        return false;
      const { fields } = operation;
      const seal = readField(fields, 'seal');
      const author = row?.type === 'comment' ? row.fields.author : readField(fields, 'author');
      const said = { author, text: readField(fields, 'text'), del: readField(fields, 'del') };
      return typeof seal === 'string' && isSigned(textOf(operation.id, said), seal);
    },
  };
}
