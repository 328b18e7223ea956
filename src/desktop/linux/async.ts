// Calls of GLib that answer later, as promises.
import type Gio from 'gi://Gio?version=2.0';

/** Begins a call and resolves with what `finish` reads of its result; rejects with what it throws. */
export function later<S, T>(
  begin: (done: (source: S, result: Gio.AsyncResult) => void) => void,
  finish: (result: Gio.AsyncResult, source: S) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    begin((source, result) => {
      try {
        resolve(finish(result, source));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

/** As `later`; null where it throws. */
export async function laterOrNull<S, T>(
  begin: (done: (source: S, result: Gio.AsyncResult) => void) => void,
  finish: (result: Gio.AsyncResult, source: S) => T,
): Promise<T | null> {
  try {
    return await later(begin, finish);
  } catch {
    // Which error it was makes no difference to who asks.
    return null;
  }
}
