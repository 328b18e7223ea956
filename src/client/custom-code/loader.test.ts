// The rules by which custom JavaScript is loaded, with a memory and a clock of the test's own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wordsOf } from './create-api.ts';
import { CodeLoader, type LoaderPorts, MOST_CRASHES, PROOF_MS } from './loader.ts';

/** A device on which the app is started again and again. */
class Device {
  isOn = true;
  isSafe = false;
  code: string | null = 'code';
  throws: Error | null = null;
  readonly memory = new Map<string, string>();
  readonly said: string[] = [];
  readonly ran: string[] = [];
  #timer: (() => void) | null = null;

  start(): { readonly loader: CodeLoader; readonly outcome: ReturnType<CodeLoader['start']> } {
    this.#timer = null;
    const loader = new CodeLoader(this.#ports());
    return { loader, outcome: loader.start() };
  }

  /** Without a word: the program is killed, or hangs and is ended. */
  async crash(): Promise<string> {
    return this.start().outcome;
  }

  /** As long as it takes for the start to be a good one. */
  live(): void {
    this.#timer?.();
  }

  #ports(): LoaderPorts {
    return {
      isOn: () => this.isOn,
      turnOff: () => (this.isOn = false),
      isSafe: this.isSafe,
      memory: {
        get: (key) => this.memory.get(key) ?? null,
        set: (key, value) => this.memory.set(key, value),
      },
      read: () => Promise.resolve(this.code),
      run: (code) => {
        this.ran.push(code);
        return this.throws ? Promise.reject(this.throws) : Promise.resolve();
      },
      after: (delayMs, work) => {
        assert.equal(delayMs, PROOF_MS);
        this.#timer = work;
        return () => (this.#timer = null);
      },
      say: (text) => this.said.push(text),
      wordsOf,
    };
  }
}

describe('loading custom JavaScript', () => {
  test('[LOOK-20] runs where it is turned on, and where there is any', async () => {
    const device = new Device();
    assert.equal(await device.start().outcome, 'ran');
    assert.deepEqual(device.ran, ['code']);
    device.code = ' ';
    assert.equal(await device.start().outcome, 'none');
    device.code = null;
    assert.equal(await device.start().outcome, 'none');
    device.code = 'code';
    device.isOn = false;
    assert.equal(await device.start().outcome, 'off');
    assert.equal(device.ran.length, 1);
    assert.deepEqual(device.said, []);
  });

  test('[LOOK-21] a safe start leaves it out, says so, and changes nothing', async () => {
    const device = new Device();
    device.isSafe = true;
    assert.equal(await device.start().outcome, 'safe');
    assert.deepEqual(device.ran, []);
    assert.equal(device.memory.size, 0);
    assert.equal(device.isOn, true);
    assert.match(device.said[0] ?? '', /left out of this start/);
  });

  test('[LOOK-22] two starts in a row that end too early turn it off before it runs again', async () => {
    const device = new Device();
    for (let n = 0; n < MOST_CRASHES; n += 1) assert.equal(await device.crash(), 'ran');
    assert.equal(await device.start().outcome, 'crashed');
    assert.equal(device.ran.length, MOST_CRASHES);
    assert.equal(device.isOn, false);
    assert.match(device.said[0] ?? '', /is off, because/);
    // Turned on again, it has two tries as at first.
    device.isOn = true;
    assert.equal(await device.crash(), 'ran');
    assert.equal(await device.crash(), 'ran');
    assert.equal(await device.start().outcome, 'crashed');
  });

  test('[LOOK-22] a start that lasts forgets the crash before it', async () => {
    const device = new Device();
    await device.crash();
    assert.equal(await device.start().outcome, 'ran');
    device.live();
    await device.crash();
    assert.equal(await device.start().outcome, 'ran');
    assert.equal(device.isOn, true);
  });

  test('[LOOK-22] closing the app soon is neither a crash nor a proof', async () => {
    const device = new Device();
    await device.crash();
    for (let n = 0; n < 3; n += 1) {
      const { loader, outcome } = device.start();
      assert.equal(await outcome, 'ran');
      loader.close();
    }
    await device.crash();
    assert.equal(await device.start().outcome, 'crashed');
  });

  test('[LOOK-22] a safe start in between does not count', async () => {
    const device = new Device();
    await device.crash();
    device.isSafe = true;
    await device.crash();
    device.isSafe = false;
    assert.equal(await device.start().outcome, 'ran');
  });

  test('[LOOK-22] closed while the code is read, it does not run any more', async () => {
    const device = new Device();
    const { loader, outcome } = device.start();
    loader.close();
    assert.equal(await outcome, 'none');
    assert.deepEqual(device.ran, []);
  });

  test('[LOOK-22] what is in the memory and no number counts as nothing', async () => {
    const device = new Device();
    device.memory.set('customCode.starts', 'many');
    assert.equal(await device.start().outcome, 'ran');
    assert.equal(device.memory.get('customCode.starts'), '1');
  });

  test('[LOOK-27] what the code throws is told, and is no crash once the app lives on', async () => {
    const device = new Device();
    device.throws = new Error('x is not defined');
    for (let n = 0; n < 4; n += 1) {
      assert.equal(await device.start().outcome, 'failed');
      device.live();
    }
    assert.deepEqual(new Set(device.said), new Set(['Your custom JavaScript failed: x is not defined']));
    assert.equal(device.isOn, true);
  });
});
