// Time blocks: when a person plans to do a task, and for how long. Their values, their registers in the person's own row of a task,
// and how they lie in time. Not here: what a person does with them (client/blocks/).
import type { FieldsOf } from '../model.ts';
import { DAY_MS } from '../time.ts';
import type { When } from '../when.ts';

/** A plan for a task. */
export interface Block {
  /** The clock on the wall at its start, as milliseconds since 1970 in UTC: nine o'clock stays nine o'clock. */
  readonly start: number;
  /** Its length, 1 to `blockLimits.minutes`. */
  readonly minutes: number;
  /** The IANA zone of that clock; absent: where the person is. */
  readonly zone?: string | undefined;
  /** The occurrence of a repeating task that it is for; 0 for other tasks. */
  readonly occ: number;
}

/** Each block is its own register, so that two devices can plan two, and merge one that both moved. */
export type BlockRegister = `block:${string}`;

const PREFIX = 'block:';
const MINUTE_MS = 60_000;

/** Limits of blocks. */
export const blockLimits = {
  /** A week. */
  minutes: 10_080,
  /** Per task. Only a merge can add more. */
  perTask: 50,
  /** Of a block without a length where its task has none. */
  usualMinutes: 30,
  /** What “Longer” and “Shorter” change. */
  stepMinutes: 15,
} as const;

/** A block with the register that holds it. */
export interface HeldBlock {
  readonly register: BlockRegister;
  readonly block: Block;
}

/** Whether a register of a personal row holds a block. */
export function isBlockRegister(register: string): register is BlockRegister {
  return register.startsWith(PREFIX);
}

/** The register of the block with this id. */
export function blockRegister(id: string): BlockRegister {
  return `${PREFIX}${id}`;
}

/** The blocks of a personal row, the earliest first. */
export function blocksIn(mine: { readonly fields: FieldsOf<'mine'> } | undefined): readonly HeldBlock[] {
  const found: HeldBlock[] = [];
  for (const register in mine?.fields) {
    if (!isBlockRegister(register)) continue;
    const block = mine.fields[register];
    if (block !== undefined) found.push({ register, block });
  }
  return found.length < 2 ? found : found.toSorted((a, b) => a.block.start - b.block.start);
}

/** Those blocks of a personal row that are for this occurrence of its task, the earliest first. */
export function blocksFor(
  mine: { readonly fields: FieldsOf<'mine'> } | undefined,
  occ: number,
): readonly HeldBlock[] {
  return blocksIn(mine).filter(({ block }) => block.occ === occ);
}

/** The start of a block as a date with a time. */
export function whenOf({ start, zone }: Block): When {
  const local = Temporal.Instant.fromEpochMilliseconds(start).toString().slice(0, 16);
  if (zone === undefined) return { local };
  return { at: Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds, zone };
}

/** The clock on the wall of `zone` at a moment, as `Block.start` has it. Milliseconds. */
export function wallOf(at: number, zone: string): number {
  const there = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  return there.toPlainDateTime().toZonedDateTime('UTC').epochMilliseconds;
}

/** The start of a block on the clock of somebody in `zone`. Milliseconds, as `Block.start`. */
export function startIn(block: Block, zone: string): number {
  const when = whenOf(block);
  return 'at' in when ? wallOf(when.at, zone) : block.start;
}

/** The end of a block on that clock. */
export function endIn(block: Block, zone: string): number {
  return startIn(block, zone) + block.minutes * MINUTE_MS;
}

/** Whether two blocks share a minute, for somebody in `zone`. One may begin as the other ends. */
export function overlap(a: Block, b: Block, zone: string): boolean {
  return startIn(a, zone) < endIn(b, zone) && startIn(b, zone) < endIn(a, zone);
}

/** The block at the same time of day, `days` later. */
export function daysLater(block: Block, days: number): Block {
  return { ...block, start: block.start + days * DAY_MS };
}
