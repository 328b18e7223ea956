// The steps of the dialog of encryption in which the key goes from one device to another. Who confirms what, and how a question is asked
// again after a confirmation of identity, is the dialog's.
import type { Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type {
  KeyAsker,
  KeyGiver,
  PairingDesk,
  PairingProblem,
  PairingState,
} from '#sync/sealing/pairing-desk.ts';
import type { Pairing } from '#wire/pairing.ts';
import type { SealingStep } from './view.ts';
import { ALTERED, turnWords } from './words.ts';

const LOOK_AGAIN_MS = 1_000;
const ENDED = 'The other device ended this. No key was given.';
const HERE = 'This device is unlocked.';
const GIVEN = 'The other device has the key now.';

/** What the dialog does for its steps. */
export interface PairingHost {
  show(step: SealingStep): void;
  problem(text: string): void;
  /** The end: back to the overview with a sentence. */
  ended(said: string): void;
  /** Runs a piece of work after so many milliseconds; the result stops it. */
  after(delayMs: number, work: () => void): () => void;
  /** Runs work as something that the person sees, if the dialog is still there. */
  act(work: () => void): void;
  /** Asks the server; where it wants a confirmation of identity, asks again after that. */
  ask(question: () => Promise<Result<PairingState, PairingProblem>>, then: () => void): void;
}

/** One pairing, at either end. */
export class PairingSteps {
  readonly #desk: PairingDesk;
  readonly #host: PairingHost;
  #end: KeyAsker | KeyGiver | null = null;
  #giver: KeyGiver | null = null;
  #seen: readonly Pairing[] = [];
  #stop: (() => void) | null = null;
  #isOver = false;

  constructor(desk: PairingDesk, host: PairingHost) {
    this.#desk = desk;
    this.#host = host;
  }

  /** This device asks for the key. */
  ask(): void {
    const asker = this.#desk.asker();
    this.#end = asker;
    this.#host.show({ type: 'askOther' });
    void this.#follow(asker, asker.begin());
  }

  /** This device gives the key: first the person chooses to whom. */
  choose(): void {
    this.#host.show({ type: 'choose', devices: null });
    void this.#lookForDevices();
  }

  give(id: Id): void {
    const pairing = this.#seen.find((each) => each.id === id);
    if (pairing === undefined || this.#giver !== null) return;
    this.#stop?.();
    const giver = this.#desk.giver(pairing);
    this.#end = giver;
    this.#giver = giver;
    this.#host.show({ type: 'waitForWords', device: pairing.device });
    void this.#follow(giver, giver.begin());
  }

  /** The person says that both devices show the same. */
  same(): void {
    const giver = this.#giver;
    if (giver === null) return;
    this.#stop?.();
    this.#host.ask(
      () => giver.give(),
      () => this.#over(() => this.#host.ended(GIVEN)),
    );
  }

  different(): void {
    void this.#end?.end();
    this.#over(() => this.#host.problem(ALTERED));
  }

  /** The dialog is closed: what was not over is ended, so that the other device hears of it. */
  leave(): void {
    this.#stop?.();
    if (!this.#isOver) void this.#end?.end();
    this.#isOver = true;
  }

  #over(then: () => void): void {
    this.#stop?.();
    this.#isOver = true;
    then();
  }

  async #lookForDevices(): Promise<void> {
    const waiting = await this.#desk.waiting();
    this.#host.act(() => {
      if (this.#isOver || this.#giver !== null) return;
      if (!waiting.ok) {
        this.#over(() => this.#host.problem(waiting.problem.message));
        return;
      }
      this.#seen = waiting.value;
      const devices = waiting.value.map(({ id, device }) => ({ id, name: device }));
      this.#host.show({ type: 'choose', devices });
      this.#again(() => void this.#lookForDevices());
    });
  }

  async #follow(
    end: KeyAsker | KeyGiver,
    looking: Promise<Result<PairingState, PairingProblem>>,
  ): Promise<void> {
    const seen = await looking;
    this.#host.act(() => {
      if (this.#isOver) return;
      if (!seen.ok) {
        this.#over(() => this.#host.problem(turnWords(seen.problem)));
        return;
      }
      const { value: state } = seen;
      if (state.type === 'ended') this.#over(() => this.#host.problem(ENDED));
      else if (state.type === 'open') this.#over(() => this.#host.ended(HERE));
      else {
        if (state.type === 'compare') this.#host.show(this.#compared(state.shown));
        this.#again(() => void this.#follow(end, end.look()));
      }
    });
  }

  #compared({ words, digits }: { readonly words: readonly string[]; readonly digits: string }): SealingStep {
    return { type: 'compare', words, digits, gives: this.#giver !== null };
  }

  #again(work: () => void): void {
    this.#stop = this.#host.after(LOOK_AGAIN_MS, work);
  }
}
