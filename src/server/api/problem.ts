// What is wrong with a request, as a value: the code and text of the refusal, and the field that is meant.
import { refusal, type ErrorCode } from '../http/answer.ts';

export interface Problem {
  readonly problem: ErrorCode;
  readonly message: string;
  readonly field?: string;
}

export function problem(code: ErrorCode, message: string, field?: string): Problem {
  return { problem: code, message, ...(field === undefined ? {} : { field }) };
}

export const invalid = (field: string, message: string): Problem => problem('invalid', message, field);

export function isProblem<T>(value: T | Problem): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

export function refused({ problem: code, message, field }: Problem): Response {
  return refusal(code, message, field === undefined ? {} : { field });
}

/** As `field` of something that stands inside another. */
export function within(path: string, { problem: code, message, field }: Problem): Problem {
  return { problem: code, message, field: field === undefined ? path : `${path}.${field}` };
}
