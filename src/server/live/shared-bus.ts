// The bus between the processes of one installation, over a line that carries texts: PostgreSQL's notifications, or Valkey.
// News wait for 25 ms, what has ended does not. A line that is lost, or that brings back nothing of what this process says
// itself, is opened again; then everybody looks for what was missed.
import { randomUUID } from 'node:crypto';
import { isRecord } from '#core/json.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import { createBus, type Bus, type BusMessage } from './bus.ts';
import { readNews, WaitingNews } from './bus-news.ts';
import { PresenceSender, readPresence } from './bus-presence.ts';

const COALESCE_MS = 25;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 10_000;
const BEAT_MS = 5_000;
/** A process of which so many beats were not heard is gone; likewise a line on which its own were not. */
const MISSED_BEATS = 3;

/** `news`: about data. `presence`: where people are. `nodes`: which processes there are. */
export type Channel = 'news' | 'presence' | 'nodes';

/** What a line tells the bus. */
export interface LineEvents {
  heard(channel: Channel, text: string): void;
  /** It carries nothing any more. */
  lost(): void;
}

/** An open line. What is sent comes back to the sender, too. */
export interface Line {
  send(channel: Channel, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens lines, one after the other. Rejects when there is none to be had. */
export type OpenLine = (on: LineEvents) => Promise<Line>;

export interface SharedBusPorts {
  readonly open: OpenLine;
  /** Whether to begin without a line when the first couldn't be had for this reason. Absent: never. */
  readonly mayComeLater?: (error: unknown) => boolean;
  readonly log: Logger;
  /** How often a process says that it is there; another one than usual only in tests. */
  readonly beatMs?: number;
}

class SharedBus implements Bus {
  readonly isShared = true;
  readonly node = randomUUID();
  readonly #ports: SharedBusPorts;
  readonly #local = createBus();
  readonly #waiting = new WaitingNews();
  readonly #presence: PresenceSender;
  readonly #beatMs: number;
  /** Beats of this process since each was heard. */
  readonly #silence = new Map<string, number>();
  #line: Line | null = null;
  #isClosed = false;
  #retryMs = FIRST_RETRY_MS;
  #flushTimer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | null = null;
  #retryTimer: NodeJS.Timeout | undefined;
  #beatTimer: NodeJS.Timeout | undefined;

  constructor(ports: SharedBusPorts) {
    this.#ports = ports;
    this.#beatMs = ports.beatMs ?? BEAT_MS;
    this.#presence = new PresenceSender(
      async (text) => await this.#line?.send('presence', text),
      (error) => ports.log.debug('presence_not_told', errorDetail(error)),
    );
  }

  async begin(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      if (this.#ports.mayComeLater?.(error) !== true) throw error;
      this.#ports.log.error('bus_unreachable', errorDetail(error));
      this.#reconnect();
    }
  }

  async connect(): Promise<void> {
    let isLost = false;
    let own: Line | null = null;
    const line = await this.#ports.open({
      heard: (channel, text) => this.#heard(channel, text),
      lost: () => {
        isLost = true;
        if (own !== null && this.#line === own) this.#lose();
      },
    });
    if (this.#isClosed || isLost) {
      await line.close();
      if (isLost) throw new Error('The line ended as it was opened.');
      return;
    }
    own = line;
    this.#line = line;
    this.#retryMs = FIRST_RETRY_MS;
    for (const node of [this.node, ...this.#silence.keys()]) this.#silence.set(node, 0);
    this.#beat({ asks: true });
    this.#beatTimer = setInterval(() => this.#beatAgain(), this.#beatMs).unref();
    if (!this.#waiting.isEmpty) this.#flushAfter(0);
  }

  nodes(): readonly string[] {
    return [...new Set([this.node, ...this.#silence.keys()])];
  }

  publish(message: BusMessage): void {
    if (message.type === 'presence') return this.#presence.add(message.news);
    this.#local.publish(message);
    this.#flushAfter(this.#waiting.add(message) ? 0 : COALESCE_MS);
  }

  subscribe(listener: (message: BusMessage) => void): () => void {
    return this.#local.subscribe(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#flushTimer);
    clearTimeout(this.#retryTimer);
    clearInterval(this.#beatTimer);
    await this.#flush();
    const line = this.#line;
    // The others need not wait until it was not heard for a while.
    await line?.send('nodes', JSON.stringify({ node: this.node, leaves: true })).catch(() => undefined);
    this.#line = null;
    await line?.close();
    await this.#local.close();
  }

  #heard(channel: Channel, text: string): void {
    if (channel === 'nodes') this.#heardNode(text);
    else if (channel === 'presence') {
      const news = readPresence(text);
      // Its own words come back to it.
      if (news !== null && news.node !== this.node) this.#local.publish({ type: 'presence', news });
    } else this.#heardNews(text);
  }

  #heardNews(text: string): void {
    const heard = readNews(text);
    if (heard === null || heard.node === this.node) return;
    for (const message of heard.messages) this.#local.publish(message);
    if (heard.hasMore) this.#local.publish({ type: 'missed' });
  }

  #heardNode(text: string): void {
    const said = readBeat(text);
    if (said === null) return;
    if (said.leaves) this.#silence.delete(said.node);
    else this.#silence.set(said.node, 0);
    if (said.asks && said.node !== this.node) this.#beat({});
  }

  #beatAgain(): void {
    for (const [node, count] of this.#silence)
      if (count < MISSED_BEATS) this.#silence.set(node, count + 1);
      else if (node !== this.node) this.#silence.delete(node);
      else {
        this.#ports.log.error('bus_silent');
        return this.#lose();
      }
    this.#beat({});
  }

  #beat(more: { readonly asks?: true }): void {
    this.#line
      ?.send('nodes', JSON.stringify({ node: this.node, ...more }))
      .catch((error: unknown) => this.#ports.log.debug('beat_not_sent', errorDetail(error)));
  }

  #lose(): void {
    const line = this.#line;
    this.#line = null;
    clearInterval(this.#beatTimer);
    line?.close().catch(() => undefined);
    this.#reconnect();
  }

  #reconnect(): void {
    if (this.#isClosed || this.#retryTimer) return;
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      this.connect().then(
        () => this.#isClosed || this.#local.publish({ type: 'missed' }),
        (error: unknown) => {
          this.#ports.log.error('bus_unreachable', errorDetail(error));
          this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
          this.#reconnect();
        },
      );
    }, this.#retryMs);
  }

  #flushAfter(delayMs: number): void {
    if (delayMs === 0) {
      clearTimeout(this.#flushTimer);
      this.#flushTimer = undefined;
    }
    this.#flushTimer ??= setTimeout(() => void this.#flush(), delayMs);
  }

  #flush(): Promise<void> {
    this.#flushTimer = undefined;
    return (this.#flushing ??= this.#send().finally(() => (this.#flushing = null)));
  }

  async #send(): Promise<void> {
    while (this.#line && !this.#waiting.isEmpty) {
      const line = this.#line;
      const text = this.#waiting.take(this.node);
      try {
        await line.send('news', text);
      } catch (error) {
        this.#ports.log.error('notify_failed', errorDetail(error));
        this.#waiting.putBack(text);
        // Where there is another one by now, it takes it.
        if (this.#line === line) return this.#flushAfter(FIRST_RETRY_MS);
      }
    }
  }
}

/** Rejects when there is no line at the start, unless one `mayComeLater`. */
export async function createSharedBus(ports: SharedBusPorts): Promise<Bus> {
  const bus = new SharedBus(ports);
  await bus.begin();
  return bus;
}

interface Beat {
  readonly node: string;
  readonly asks: boolean;
  readonly leaves: boolean;
}

function readBeat(text: string): Beat | null {
  try {
    const json: unknown = JSON.parse(text);
    if (!isRecord(json) || typeof json['node'] !== 'string') return null;
    return { node: json['node'], asks: json['asks'] === true, leaves: json['leaves'] === true };
  } catch {
    // Not ours.
    return null;
  }
}
