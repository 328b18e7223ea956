// The result of what may fail in an expected way: a value, or the problem that prevented it. Errors of the program itself
// are thrown instead.

/** What a function returns that may fail: its value, or why there is none. */
export type Result<Value, Problem> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

/** The result of a success. */
export const ok = <Value>(value: Value): Result<Value, never> => ({ ok: true, value });

/** The result of a failure. */
export const failed = <Problem>(problem: Problem): Result<never, Problem> => ({ ok: false, problem });
