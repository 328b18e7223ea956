// Loads custom JavaScript by the rules of docs/custom-code.md: after the start and never in a safe one, and no more once the
// app ended twice right after. It knows neither where the code is kept nor how it is run: its ports do. Only a client that
// brings a part with it (part.ts) has it; the web app does not.

/** How long the app has to live with the code for the start to count as a good one. */
export const PROOF_MS = 10_000;
/** So many starts in a row that ended before that, and the code is off. */
export const MOST_CRASHES = 2;

const STARTS = 'customCode.starts';

/** Why nothing was run, or that it was. */
export type LoadOutcome = 'ran' | 'failed' | 'none' | 'off' | 'safe' | 'crashed';

export interface LoaderPorts {
  /** The person turned it on, on this device. */
  isOn(): boolean;
  turnOff(): void;
  /** `?safe`, or Shift was held as the app started. */
  readonly isSafe: boolean;
  /** Of this device alone; what is set is there after the program was killed right after. */
  readonly memory: { get(key: string): string | null; set(key: string, value: string): void };
  /** The code as it lies on this device; null: there is none. */
  read(): Promise<string | null>;
  /** Runs it. Rejects with what the code throws. */
  run(code: string): Promise<void>;
  after(delayMs: number, work: () => void): () => void;
  say(text: string, isError: boolean): void;
  /** What something thrown says. */
  wordsOf(thrown: unknown): string;
}

export class CodeLoader {
  readonly #ports: LoaderPorts;
  /** Ends the time of proof; null: none runs. */
  #cancel: (() => void) | null = null;
  /** What the count was before this start. */
  #before = 0;
  #isClosed = false;

  constructor(ports: LoaderPorts) {
    this.#ports = ports;
  }

  /** Once, when the app has started. Never rejects. */
  async start(): Promise<LoadOutcome> {
    const { memory, isSafe } = this.#ports;
    if (!this.#ports.isOn()) return 'off';
    if (isSafe) {
      this.#ports.say('Custom JavaScript is left out of this start.', false);
      return 'safe';
    }
    this.#before = Number(memory.get(STARTS) ?? 0) || 0;
    if (this.#before >= MOST_CRASHES) {
      this.#ports.turnOff();
      this.forgive();
      this.#ports.say(
        'Custom JavaScript is off, because the app ended right after starting with it twice. Correct it, then turn it on again.',
        true,
      );
      return 'crashed';
    }
    return this.#run();
  }

  async #run(): Promise<LoadOutcome> {
    const ports = this.#ports;
    try {
      const code = await ports.read();
      if (code === null || code.trim() === '' || this.#isClosed) return 'none';
      // Written down before the first line runs: a program that hangs or dies says nothing more.
      ports.memory.set(STARTS, String(this.#before + 1));
      this.#cancel = ports.after(PROOF_MS, () => {
        this.#cancel = null;
        this.forgive();
      });
      await ports.run(code);
      return 'ran';
    } catch (error) {
      ports.say(`Your custom JavaScript failed: ${ports.wordsOf(error)}`, true);
      return 'failed';
    }
  }

  /** The starts before no longer count: it has proved itself, or was turned on anew. */
  forgive(): void {
    this.#ports.memory.set(STARTS, '0');
  }

  /** The app closes as it should: a start as short as this one is neither a crash nor a proof. */
  close(): void {
    this.#isClosed = true;
    if (this.#cancel === null) return;
    this.#cancel();
    this.#cancel = null;
    this.#ports.memory.set(STARTS, String(this.#before));
  }
}
