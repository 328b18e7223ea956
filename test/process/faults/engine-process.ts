// A device in a process of its own (engine-child.ts) as the one who kills it sees it. Started again it has its disk again.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EngineOptions, FromEngine, ToEngine } from './engine-child.ts';

const CHILD = fileURLToPath(new URL('./engine-child.ts', import.meta.url));
const ANSWER_MS = 30_000;

export type EngineSetting = Omit<EngineOptions, 'life' | 'shiftMs' | 'seed'>;

export class EngineProcess {
  readonly setting: EngineSetting;
  readonly #onProblem: (problem: string) => void;
  #child: ChildProcess | null = null;
  #lives = 0;
  #isEnding = false;
  /** By how much its clock is wrong. */
  shiftMs = 0;

  constructor(setting: EngineSetting, onProblem: (problem: string) => void) {
    this.setting = setting;
    this.#onProblem = onProblem;
  }

  get runs(): boolean {
    return this.#child !== null;
  }

  /** Resolves when its disk has been read. */
  async start({ seed, shiftMs }: { seed: number; shiftMs: number }): Promise<void> {
    const options: EngineOptions = { ...this.setting, seed, shiftMs, life: this.#lives };
    this.#lives += 1;
    this.shiftMs = shiftMs;
    const child = fork(CHILD, [JSON.stringify(options)], {
      // Nothing of a test runner that this runs in.
      execArgv: [],
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#isEnding = false;
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('exit', (code, signal) => {
      this.#child = null;
      if (!this.#isEnding) this.#onProblem(`${options.name} ended with ${code ?? signal}: ${said}`);
      else if (code !== null && code !== 0) this.#onProblem(`${options.name} ended with ${code}: ${said}`);
    });
    await this.#hear('open');
  }

  jump(shiftMs: number): void {
    this.shiftMs = shiftMs;
    this.send({ type: 'jump', shiftMs });
  }

  send(message: ToEngine): void {
    this.#child?.send(message);
  }

  /** The answer to what is sent; null when it does not come. */
  async ask<T extends FromEngine['type']>(
    message: ToEngine,
    type: T,
  ): Promise<Extract<FromEngine, { type: T }> | null> {
    if (this.#child === null) return null;
    const heard = this.#hear(type);
    this.send(message);
    return await heard;
  }

  async kill(): Promise<void> {
    await this.#end((child) => child.kill('SIGKILL'));
  }

  async close(): Promise<void> {
    await this.#end((child) => child.send({ type: 'end' } satisfies ToEngine));
  }

  async #end(how: (child: ChildProcess) => void): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#isEnding = true;
    const ended = once(child, 'exit');
    how(child);
    await ended;
  }

  #hear<T extends FromEngine['type']>(type: T): Promise<Extract<FromEngine, { type: T }> | null> {
    const child = this.#child;
    if (child === null) return Promise.resolve(null);
    return new Promise((resolve) => {
      const done = (message: Extract<FromEngine, { type: T }> | null): void => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        resolve(message);
      };
      const onExit = (): void => done(null);
      const onMessage = (message: FromEngine): void => {
        if (message.type === type) done(message as Extract<FromEngine, { type: T }>);
      };
      const timer = setTimeout(() => done(null), ANSWER_MS);
      child.on('message', onMessage);
      child.on('exit', onExit);
    });
  }
}
