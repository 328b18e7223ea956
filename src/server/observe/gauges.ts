// Figures of a running server that are read when they are asked for, and remarks for the operator. Not here: what is counted as it
// happens (metrics.ts).
import type { Passwords } from '../accounts/password-hash.ts';
import type { Backups } from '../care/backups.ts';
import type { DiskWatch } from '../care/disk-watch.ts';
import type { Room } from '../care/room.ts';
import type { Config } from '../config.ts';
import type { Bus } from '../live/bus.ts';
import type { Hub } from '../live/hub.ts';
import type { Post } from '../mail/post.ts';
import type { Metrics } from './metrics.ts';
import { notSetUp } from './setup.ts';

/** What the figures are read from. */
export interface GaugePorts {
  readonly config: Config;
  /** Null: nothing is on a disk. */
  readonly disk: DiskWatch | null;
  readonly backups: Backups | null;
  readonly post: Post;
  readonly room: Room;
  readonly bus: Pick<Bus, 'nodes'>;
}

/** Remarks for the operator on `/readyz`; the server answers all the same. */
export function remarksOf({
  disk,
  backups,
  config,
}: Pick<GaugePorts, 'disk' | 'backups' | 'config'>): readonly string[] {
  const disks = disk?.isFull() === true ? ['disk full'] : disk?.isLow() === true ? ['disk low'] : [];
  const missing = notSetUp(config).map(({ name }) => name);
  return [
    ...disks,
    ...(backups?.isOverdue() === true ? ['backup overdue'] : []),
    `not set up: ${missing.join(', ')}`,
  ];
}

function gaugeDisk({ disk, backups }: GaugePorts, metrics: Metrics): void {
  if (disk) {
    metrics.gauge('posthaste_disk_free_bytes', 'Free bytes in the data folder.', () => disk.freeBytes());
    metrics.gauge('posthaste_disk_free_share', 'Free share of its disk.', () => disk.freeShare());
  }
  if (!backups) return;
  const age = () => (backups.ageMs() ?? Number.NaN) / 1_000;
  metrics.gauge('posthaste_backup_age_seconds', 'Age of the newest automatic backup.', age);
  metrics.gauge('posthaste_backup_overdue', '1 when a change has waited two hours for a backup.', () =>
    backups.isOverdue() ? 1 : 0,
  );
}

function gaugeWork({ post, room, bus }: GaugePorts, metrics: Metrics, hub: Hub, passwords: Passwords): void {
  metrics.gauge('posthaste_sockets', 'Open live sockets.', () => hub.size());
  metrics.gauge('posthaste_nodes', 'Servers that this one hears, itself included.', () => bus.nodes().length);
  metrics.gauge('posthaste_mail_waiting', 'Emails waiting for the mail server.', () => post.waiting());
  metrics.gauge('posthaste_writes_waiting', 'Small writes waiting in memory for disk space.', () =>
    room.waiting(),
  );
  metrics.gauge('posthaste_password_queue', 'Passwords waiting to be hashed.', () => passwords.waiting());
}

/** Adds all figures to the metrics. */
export function gaugeAll(
  ports: GaugePorts,
  metrics: Metrics,
  { hub, passwords }: { readonly hub: Hub; readonly passwords: Passwords },
): void {
  gaugeDisk(ports, metrics);
  gaugeWork(ports, metrics, hub, passwords);
}
