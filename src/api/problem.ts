// An error of a request, as a value: code and text of the refusal, and the field concerned.
import type { ErrorCode } from '#wire/api/error-codes.ts';

/** Why a call was refused, for programs and people. */
export interface Problem {
  readonly problem: ErrorCode;
  readonly message: string;
  readonly field?: string;
}

/** Makes a problem. */
export function problem(code: ErrorCode, message: string, field?: string): Problem {
  return { problem: code, message, ...(field === undefined ? {} : { field }) };
}

/** The problem of a field that can't be used. */
export const invalid = (field: string, message: string): Problem => problem('invalid', message, field);

/** Tells a problem from a value. */
export function isProblem<T>(value: T | Problem): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

/** The problem with its `field` prefixed by the path of the enclosing object. */
export function within(path: string, { problem: code, message, field }: Problem): Problem {
  return { problem: code, message, field: field === undefined ? path : `${path}.${field}` };
}
