// Runs one script at a time in QuickJS, a JavaScript engine in WebAssembly that has nothing but the language. Its own deadline
// does not reach into loops of the engine itself, which is why runner.ts ends the worker that this runs in.
import {
  QuickJSWASMModule,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core';
import type {
  EmscriptenModuleLoader,
  EmscriptenModuleLoaderOptions,
  QuickJSEmscriptenModule,
} from '@jitl/quickjs-ffi-types';
import { QuickJSFFI } from '@jitl/quickjs-wasmfile-release-sync/ffi';
import loader from '@jitl/quickjs-wasmfile-release-sync/emscripten-module';
import { failed, ok, type Result } from '#core/result.ts';
import { scriptLimits } from '#client/macros/script/port.ts';
import {
  complaint,
  notAnObject,
  readReturned,
  tooMany,
  type Complaint,
  type Returned,
} from '#client/macros/script/returned.ts';
import { PRELUDE, SCRIPT_NAME } from './prelude.ts';
import { sentenceOf, sentences } from './thrown.ts';

/** Its types say it is a CommonJS module; it is none where we import it. */
const loadModule = loader as unknown as EmscriptenModuleLoader<QuickJSEmscriptenModule>;

const PAGE_BYTES = 65_536;
const MEGABYTE = 1_048_576;
/** What the engine is built with, and begins with. */
const FIRST_PAGES = 256;
/** Of the engine itself: its data and its stack. */
const ENGINE_BYTES = 4 * MEGABYTE;
/** Memory for a character of the state's JSON, as text and as objects. */
const BYTES_PER_CHARACTER = 8;
/** Memory grows in steps of a twentieth or more. */
const FULL = 0.9;

/** A script with what it reads: the variables and the packed state, as JSON. */
export interface GuestJob {
  readonly source: string;
  readonly variables: string;
  readonly state: string;
}

export interface GuestPorts {
  /** Milliseconds that only grow. */
  now(): number;
  /** The script's own code begins. */
  begun(): void;
  /** It wrote a line to the console. */
  wrote(line: string): void;
}

export interface GuestOutcome {
  readonly answer: Result<Readonly<Record<string, string>>, Complaint>;
  /** Something went wrong that may have left the engine in any state: nothing may run in it again. */
  readonly isSpent: boolean;
}

export interface Guest {
  run(job: GuestJob, ports: GuestPorts): Promise<GuestOutcome>;
}

interface Engine {
  readonly module: QuickJSWASMModule;
  readonly pages: number;
  /** Its memory has grown as far as it may: something was refused, or nearly. */
  readonly isFull: () => boolean;
}

type Step<Value> = Result<Value, Complaint>;

/** The functions of the prelude. */
type Host = Readonly<Record<'open' | 'kindOf' | 'read' | 'take', QuickJSHandle>>;

/** A run in a world of its own. */
class Run {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #ports: GuestPorts;
  readonly #isFull: () => boolean;
  /** Infinite until the script begins. */
  #deadline = Number.POSITIVE_INFINITY;
  #isLate = false;
  #isSpent = false;
  #written = 0;
  readonly #held: QuickJSHandle[] = [];

  constructor({ module, isFull }: Engine, ports: GuestPorts) {
    this.#ports = ports;
    this.#isFull = isFull;
    this.#runtime = module.newRuntime();
    this.#runtime.setMaxStackSize(scriptLimits.stackKilobytes * 1_024);
    this.#runtime.setInterruptHandler(() => {
      this.#isLate ||= ports.now() > this.#deadline;
      return this.#isLate;
    });
    this.#context = this.#runtime.newContext();
  }

  get isSpent(): boolean {
    return this.#isSpent || this.#isLate || this.#isFull();
  }

  dispose(): void {
    for (const handle of this.#held.toReversed()) handle.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }

  do({ source, variables, state }: GuestJob): Step<Readonly<Record<string, string>>> {
    const host = this.#prelude();
    const given = this.#value(this.#call(host.open, [this.#text(variables), this.#text(state)]));
    const args = [0, 1].map((at) => this.#hold(this.#context.getProp(given, at)));
    this.#begin();
    const evaluated = this.#step(this.#context.evalCode(source, SCRIPT_NAME, { type: 'global' }), true);
    if (!evaluated.ok) return evaluated;
    const named = this.#step(
      this.#context.evalCode("typeof updateVariables === 'function' ? updateVariables : null", 'asking', {
        type: 'global',
      }),
    );
    if (!named.ok) return named;
    if (this.#context.typeof(named.value) !== 'function')
      return failed(complaint('missing', 'The script must define a function named updateVariables.'));
    const returned = this.#step(this.#call(named.value, args));
    return returned.ok ? this.#read(returned.value, host) : returned;
  }

  #read(value: QuickJSHandle, host: Host): Step<Readonly<Record<string, string>>> {
    const kind = this.#kindOf(value, host.kindOf);
    if (kind !== 'object') return failed(notAnObject(kind));
    const { variables, valueCharacters } = scriptLimits;
    const read = this.#step(
      this.#call(host.read, [value, this.#number(variables), this.#number(valueCharacters)]),
    );
    if (!read.ok) return read;
    // None of the script's code runs from here on.
    this.#deadline = Number.POSITIVE_INFINITY;
    const found = JSON.parse(this.#context.getString(read.value)) as
      | number
      | (readonly [name: string, what: string | number])[];
    if (typeof found === 'number') return failed(tooMany(found));
    const members = found.map(([name, what], at): Returned => {
      if (typeof what === 'number') return { name, value: { characters: what } };
      return { name, value: what === 'text' ? { text: this.#take(host.take, at) } : { kind: what } };
    });
    return readReturned(members);
  }

  #take(take: QuickJSHandle, at: number): string {
    const text = this.#context.getString(this.#value(this.#call(take, [this.#number(at)])));
    return text.startsWith('=') ? text.slice(1) : String(JSON.parse(text));
  }

  #kindOf(value: QuickJSHandle, kindOf: QuickJSHandle): string {
    const kind = this.#context.getString(this.#value(this.#call(kindOf, [value])));
    if (kind !== 'object') return kind;
    const state = this.#context.getPromiseState(value);
    if (state.type === 'fulfilled' && state.notAPromise === true) return kind;
    if (state.type === 'fulfilled') this.#hold(state.value);
    if (state.type === 'rejected') this.#hold(state.error);
    return 'promise';
  }

  #prelude(): Host {
    const context = this.#context;
    const write = this.#hold(context.newFunction('write', (line) => this.#write(context.getString(line))));
    const make = this.#value(context.evalCode(PRELUDE, 'prelude', { type: 'global' }));
    const host = this.#value(this.#call(make, [write]));
    const member = (name: string) => this.#hold(context.getProp(host, name));
    return {
      open: member('open'),
      kindOf: member('kindOf'),
      read: member('read'),
      take: member('take'),
    };
  }

  #write(json: string): void {
    const left = scriptLimits.logCharacters - this.#written;
    if (left <= 0) return;
    const line = String(JSON.parse(json)).slice(0, left);
    this.#written += line.length + 1;
    this.#ports.wrote(line);
  }

  #begin(): void {
    this.#ports.begun();
    this.#deadline = this.#ports.now() + scriptLimits.runMs;
  }

  #hold(handle: QuickJSHandle): QuickJSHandle {
    this.#held.push(handle);
    return handle;
  }

  #text(text: string): QuickJSHandle {
    return this.#hold(this.#context.newString(text));
  }

  #number(number: number): QuickJSHandle {
    return this.#hold(this.#context.newNumber(number));
  }

  #call(fn: QuickJSHandle, args: QuickJSHandle[]) {
    return this.#context.callFunction(fn, this.#context.undefined, ...args);
  }

  /** The value of our own code, which does not fail. */
  #value(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error) throw new Error(JSON.stringify(this.#context.dump(this.#hold(result.error))));
    return this.#hold(result.value);
  }

  /** The value of the script's code, or what it threw. */
  #step(result: ReturnType<QuickJSContext['evalCode']>, isReading = false): Step<QuickJSHandle> {
    if (!result.error) return ok(this.#hold(result.value));
    const thrown = this.#thrown(this.#hold(result.error));
    const found = sentenceOf(thrown, { isLate: this.#isLate, isFull: this.#isFull(), isReading });
    this.#isSpent ||= found.type !== 'threw' && found.type !== 'syntax';
    return failed(found);
  }

  /** Reads members of what was thrown, which may run the script's code once more. */
  #thrown(error: QuickJSHandle) {
    const read = (name: string): string => {
      if (this.#context.typeof(error) !== 'object') return '';
      const value = this.#hold(this.#context.getProp(error, name));
      return this.#context.typeof(value) === 'string' ? this.#context.getString(value) : '';
    };
    return {
      name: read('name'),
      message: read('message'),
      stack: read('stack'),
      said: this.#said(error),
    };
  }

  #said(value: QuickJSHandle): string {
    const type = this.#context.typeof(value);
    if (type === 'string') return this.#context.getString(value);
    if (type === 'object') return this.#context.eq(value, this.#context.null) ? 'null' : '';
    return type === 'number' || type === 'boolean' ? String(this.#context.dump(value)) : type;
  }
}

function runIn(engine: Engine, job: GuestJob, ports: GuestPorts): GuestOutcome {
  const run = new Run(engine, ports);
  const answer = run.do(job);
  if (run.isSpent) return { answer, isSpent: true };
  run.dispose();
  return { answer, isSpent: false };
}

const NO_MEMORY = complaint(
  'unavailable',
  'This device has no memory left to run scripts. Close other tabs or apps, and try again.',
);

/** Pages of memory for a script with so much to read, in steps of a megabyte that double. */
function pagesFor({ variables, state }: GuestJob): number {
  const megabytes = ((variables.length + state.length) * BYTES_PER_CHARACTER) / MEGABYTE;
  const room = megabytes === 0 ? 1 : 2 ** Math.max(0, Math.ceil(Math.log2(megabytes)));
  return (ENGINE_BYTES + (scriptLimits.memoryMegabytes + room) * MEGABYTE) / PAGE_BYTES;
}

/**
 * The engine has no limit of its own that counts all that it allocates (quickjs-emscripten 0.32.0 cannot measure blocks): the
 * most that its memory may grow to is what ends a script that wants more.
 */
async function startEngine(compiled: WebAssembly.Module, pages: number): Promise<Engine> {
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: pages });
  const options: EmscriptenModuleLoaderOptions = {
    wasmMemory,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(compiled, imports);
      done(instance);
      return instance.exports;
    },
  };
  const loaded = await loadModule(options);
  loaded.type = 'sync';
  return {
    module: new QuickJSWASMModule(loaded, new QuickJSFFI(loaded)),
    pages,
    isFull: () => wasmMemory.buffer.byteLength > pages * PAGE_BYTES * FULL,
  };
}

/** `wasm`: the file emscripten-module.wasm of the package. Rejects when this place may not compile it. */
export async function createGuest(wasm: ArrayBuffer): Promise<Guest> {
  const compiled = await WebAssembly.compile(wasm);
  let kept: Engine | null = null;
  return {
    async run(job, ports) {
      const pages = pagesFor(job);
      try {
        if (kept?.pages !== pages) kept = await startEngine(compiled, pages);
      } catch {
        // The memory that it may grow to cannot be had.
        return { answer: failed(NO_MEMORY), isSpent: true };
      }
      try {
        return runIn(kept, job, ports);
      } catch (error) {
        // The engine itself gave up: its stack or its memory ended in the middle of something.
        return { answer: failed(complaintOfEngine(error)), isSpent: true };
      }
    },
  };
}

function complaintOfEngine(error: unknown): Complaint {
  return error instanceof RangeError
    ? complaint('depth', sentences.depth)
    : complaint('memory', sentences.memory);
}
