// How often each rare branch was reached: a random test that never gets there proves nothing.

/** Every branch that a full run has to reach. */
export const branches = [
  'verdict ok',
  'verdict superseded',
  'verdict already',
  'verdict exists',
  'verdict gone',
  'verdict cycle',
  'verdict badparent',
  'verdict forbidden',
  'verdict invalid',
  'verdict limit',
  'spread of crowded keys',
  'child of a trashed parent moved to the living',
  'exclusive label replaced',
  'undo superseded',
  'completion advanced',
  'completion taken back',
  'read missing and loaded',
  'operations compacted',
  'answered again',
  'device conflict',
  'resync',
  'bootstrap',
  'page with more to come',
  'delta taken',
  'group failed',
  'commit unanswered',
  'server restarted',
  'rows purged',
  'device crashed',
  'device restarted from disk',
  'disk refused',
  'disk lost a row',
  'storage copied',
  'clock jumped',
  'weeks passed',
  'answer lost',
  'request repeated',
  'refused and recovered',
] as const;
export type Branch = (typeof branches)[number];

export class Hits {
  readonly counts = new Map<Branch, number>();

  hit(branch: Branch, times = 1): void {
    this.counts.set(branch, (this.counts.get(branch) ?? 0) + times);
  }

  add(other: Hits): void {
    for (const [branch, times] of other.counts) this.hit(branch, times);
  }

  missing(): readonly Branch[] {
    return branches.filter((branch) => !this.counts.has(branch));
  }

  toString(): string {
    return branches.map((branch) => `${branch}: ${this.counts.get(branch) ?? 0}`).join('\n');
  }
}
