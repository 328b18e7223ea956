// What the dialog of encryption leaves outside of itself: a recovery code that is copied or saved, and nothing that could be undone once the key is forgotten.
import type { NewCode } from '#sync/sealing/sealing-desk.ts';
import type { Program } from '../app/program.ts';

/** Copies a code. The answer is a sentence. */
export async function copyCode({ platform }: Program, code: NewCode | null): Promise<string> {
  const isCopied = await platform.copyText(code?.prepared.code ?? '');
  return isCopied ? 'Copied the code.' : 'Your browser blocked the copy. Write the code down.';
}

/** Saves a code as a file. */
export function saveCode({ platform }: Program, code: NewCode | null): void {
  const of = platform.account.email ?? '';
  const text = `Posthaste recovery code of ${of}\n\n${code?.prepared.code ?? ''}\n`;
  platform.saveFile('posthaste-recovery-code.txt', 'text/plain', text);
}

/** What could be undone says what was written: nothing of it stays. */
export async function forgetTexts({ undo, engine }: Program): Promise<void> {
  undo.forget(() => true);
  const entries = await engine.journal.read();
  engine.journal.put(entries.map(({ device, q }) => ({ device, q, operations: [], inverses: [] })));
}
