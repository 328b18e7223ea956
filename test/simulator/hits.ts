// How often each verdict, fault and rare branch was reached: a random test that never gets there proves nothing.

/** Every branch that a full run (`npm test`) has to reach, and how often at the least. */
export const branches = {
  'verdict ok': 1,
  'verdict superseded': 1,
  'verdict already': 1,
  'verdict exists': 1,
  'verdict gone': 1,
  'verdict cycle': 1,
  'verdict badparent': 1,
  'verdict forbidden': 1,
  'verdict invalid': 1,
  'verdict limit': 1,
  'spread of crowded keys': 1,
  'child of a trashed parent moved to the living': 1,
  'exclusive label replaced': 1,
  'undo superseded': 1,
  'completion advanced': 1,
  'completion taken back': 1,
  'read missing and loaded': 1,
  'operations compacted': 1,
  'answered again': 1,
  'device conflict': 1,
  resync: 1,
  bootstrap: 1,
  'page with more to come': 1,
  'delta taken': 1,
  'group failed': 1,
  'commit unanswered': 1,
  'server restarted': 1,
  'rows purged': 1,
  'device crashed': 1,
  'device restarted from disk': 1,
  'device crashed while it opened its disk': 1,
  'device crashed while it read rows': 1,
  'disk refused': 1,
  'disk full for a while': 1,
  'disk took it again': 1,
  'disk lost a row': 1,
  'stored rows damaged': 1,
  'waiting change damaged': 1,
  'own record damaged': 1,
  'storage vanished': 1,
  'storage written anew': 1,
  'storage gone at the next start': 1,
  'storage copied': 1,
  'clock jumped': 1,
  'clock jumped a year': 1,
  'weeks passed': 1,
  'away beyond the horizon': 1,
  'came back beyond the horizon with a queue': 1,
  'tombstones forgotten': 1,
  'answer lost': 1,
  'answer cut short': 1,
  'server error before the effect': 1,
  'server error after the effect': 1,
  'request repeated': 1,
  'server crashed while reading': 1,
  'server too old for a while': 1,
  'spoke protocol 1': 1,
  'refused and recovered': 1,
} as const;
export type Branch = keyof typeof branches;

/** What goes wrong, as opposed to what is done about it. */
export const faults = [
  'request repeated',
  'answer lost',
  'answer cut short',
  'server error before the effect',
  'server error after the effect',
  'group failed',
  'commit unanswered',
  'server restarted',
  'server crashed while reading',
  'server too old for a while',
  'spoke protocol 1',
  'rows purged',
  'away beyond the horizon',
  'device crashed',
  'disk refused',
  'disk full for a while',
  'disk lost a row',
  'stored rows damaged',
  'waiting change damaged',
  'own record damaged',
  'storage vanished',
  'storage copied',
  'clock jumped a year',
] as const satisfies readonly Branch[];

const names = Object.keys(branches) as Branch[];

export class Hits {
  readonly counts: Map<Branch, number>;

  constructor(counts: Iterable<readonly [Branch, number]> = []) {
    this.counts = new Map(counts);
  }

  hit(branch: Branch, times = 1): void {
    this.counts.set(branch, (this.counts.get(branch) ?? 0) + times);
  }

  add(other: Hits): void {
    for (const [branch, times] of other.counts) this.hit(branch, times);
  }

  of(branch: Branch): number {
    return this.counts.get(branch) ?? 0;
  }

  /** Branches that were reached less often than they have to be. */
  tooRare(): readonly string[] {
    return names
      .filter((branch) => this.of(branch) < branches[branch])
      .map((branch) => `${branch}: ${this.of(branch)} of ${branches[branch]}`);
  }

  toString(): string {
    return names.map((branch) => `${branch}: ${this.of(branch)}`).join('\n');
  }
}
