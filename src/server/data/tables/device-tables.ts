// What devices do for programs, and for each other: runs of macros, pairings.
import type { Id } from '#core/ids.ts';

/** A run of a macro that a program asked for. */
export interface MacroRunTable {
  account: number;
  id: Id;
  macro: Id;
  /** 0 or 1. */
  is_dry: number;
  /** The name of the token. */
  program: string;
  /** Of what was asked, so that the same request is known again. */
  mark: string;
  /** Tasks and values; null: a device has them, or none came. */
  content: string | null;
  state: 'waiting' | 'running' | 'done' | 'stopped';
  /** The session of the device. */
  taken_by: Id | null;
  /** What came of it, as the device sent it. */
  outcome: string | null;
  created_at: number;
  updated_at: number;
}

/** A pairing of two devices; what wasn't said yet is null. */
export interface PairingTable {
  account: number;
  id: Id;
  /** The session of the device that asks for the key, and of the one that gives it. */
  asked_by: Id;
  answered_by: Id | null;
  /** What the first calls itself. */
  device: string;
  commitment: string;
  old_key: string | null;
  new_key: string | null;
  nonce: string | null;
  handed: string | null;
  /** 0 or 1. */
  is_refused: number;
  /** 0 or 1: the device that asked has taken the key. */
  is_taken: number;
  created_at: number;
}
