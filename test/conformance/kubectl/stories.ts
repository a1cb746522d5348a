/** Replays recorded kubectl sessions with the installed kubectl against a served cluster: the output must be the same. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kubeconfigFor } from '../../../src/surfaces/http/index.ts';
import { countingFor } from './counting.ts';
import { serveProcess, type Served } from '../served.ts';
import { normalise } from './normalise.ts';
import { compare, elements, type CommandOutput, type RecordedCommand } from './command-output.ts';

export interface StoryStep extends RecordedCommand {
  readonly story: string;
  readonly step: number;
  readonly phase: string;
  readonly files: Readonly<Record<string, string>>;
  readonly waitBefore?: readonly { readonly args?: readonly string[]; readonly match?: string; readonly sleepMs?: number }[];
  /** Commands that ran at the same time, with the delay of their start. */
  readonly during?: readonly (RecordedCommand & { readonly afterMs: number })[];
  /** The signal by which the recorder ended it: a watch does not end by itself. */
  readonly signal?: NodeJS.Signals | null;
  readonly timedOut?: boolean;
  /** The recorded duration in milliseconds. */
  readonly ms: number;
}

export interface StepOutcome {
  readonly name: string;
  readonly args: readonly string[];
  readonly difference?: string;
  /** Returns the difference without matching lines and elements of JSON on both sides. */
  readonly without: (lines: RegExp) => string | undefined;
}

export const hasKubectl = (): boolean => spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

const clusterFrom = (startAt: number): string => `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: stories }
spec:
  title: The cluster of the stories
  domain: k8s.io
  startTime: "${new Date(startAt).toISOString()}"
  cluster:
    nodes: { count: 3, capacity: { cpu: "64", memory: 256Gi, pods: "500" } }
    storageDrivers: [{ name: csi.fake.example, attachDelay: 300ms, detachDelay: 300ms, provisionDelay: 200ms, storageClasses: [{ name: fake-csi, volumeBindingMode: Immediate, reclaimPolicy: Delete }] }]
    podBehaviors: [{ startDelay: 150ms }]
    bootstrap: true
    managedFields: true
    podEvents: false
`;

const TICK_MS = 10;
/** Milliseconds beyond the recorded duration after which a step counts as waiting. */
const PATIENCE_MS = 1500;
/** The recorder's milliseconds between two steps. */
const BETWEEN_MS = 15;
/**
 * Virtual time may be ahead of the host's clock, and kubectl shows no age for the future. So the start is this many milliseconds earlier.
 */
const HEAD_START_MS = 600_000;
const POLL_MS = 150;
const GIVE_UP_MS = 20_000;
const KILL_MS = 40_000;
const LOOK_MS = 10;

/** The annotations that describe pods have a longer prefix here. */
const ours = (text: string): string => text.replace(/(?<![\w.])sim\/(?=[a-z])/g, 'sim.orch.io/');
const theirs = (text: string): string => text.replaceAll('sim.orch.io/', 'sim/');

/** Replays all stories one after the other on one cluster; `only` selects stories by name. */
export async function printStories(steps: readonly StoryStep[], only: string): Promise<readonly StepOutcome[]> {
  const startAt = Math.floor((Date.now() - HEAD_START_MS) / 1000) * 1000;
  const served = await serveProcess({ scenario: clusterFrom(startAt), words: ['--clock', 'manual'] });
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-stories-'));
  const pace = new Pace(served, startAt);
  const counting = await countingFor(served.port);
  const player = new Teller(folder, counting.origin, pace, () => counting.asked);
  const outcomes: StepOutcome[] = [];
  try {
    for (const step of steps.filter(({ story }) => only === '' || story.includes(only))) outcomes.push(await player.play(step));
  } finally {
    await pace.stop();
    counting.close();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return outcomes;
}

/**
 * The virtual time of the stories: every step takes its recorded duration, so that slow and fast machines observe as much progress of
 * controllers as the recorder. A step that runs much longer waits for something, so time continues for it.
 */
class Pace {
  readonly #served: Served;
  readonly #timer: NodeJS.Timeout;
  #now: number;
  #base = 0;
  #began = 0;
  #limit = Number.POSITIVE_INFINITY;
  /** The last advance: advances run one after the other. */
  #moving: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(served: Served, startAt: number) {
    this.#served = served;
    this.#now = startAt;
    this.begin();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Begins an interval of `ms`; without: until the step ends. */
  begin(ms = Number.POSITIVE_INFINITY): void {
    this.#base = this.#now;
    this.#began = performance.now();
    this.#limit = ms;
  }

  /** Ends a step: the rest of its time passes at once, with the gap before the next. */
  async end(): Promise<void> {
    await this.#until(this.#base + this.#limit + BETWEEN_MS);
    this.begin();
  }

  #tick(): void {
    // If the server is still advancing, no further advance is started.
    if (this.#waiting > 0) return;
    const passed = performance.now() - this.#began;
    const beyond = Math.max(0, passed - this.#limit - PATIENCE_MS);
    void this.#until(Math.floor(this.#base + Math.min(passed, this.#limit) + beyond));
  }

  #until(at: number): Promise<unknown> {
    if (at <= this.#now) return this.#moving;
    this.#now = at;
    this.#waiting++;
    this.#moving = this.#moving
      .then(() => this.#served.sim('advance', { to: new Date(at).toISOString() }))
      .finally(() => {
        this.#waiting--;
      });
    return this.#moving;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#moving;
  }
}

class Teller {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #pace: Pace;

  /** Returns the number of requests about objects. */
  readonly #asked: () => number;

  constructor(folder: string, server: string, pace: Pace, asked: () => number) {
    this.#asked = asked;
    this.#folder = folder;
    this.#pace = pace;
    const config = join(folder, 'kubeconfig');
    writeFileSync(config, kubeconfigFor(server));
    mkdirSync(join(folder, 'tmp'));
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      KUBECONFIG: config,
      KUBECACHEDIR: join(folder, 'cache'),
      HOME: folder,
      TMPDIR: join(folder, 'tmp'),
      TZ: 'UTC',
      LANG: 'C',
    };
  }

  async play(step: StoryStep): Promise<StepOutcome> {
    const cwd = join(this.#folder, step.story);
    mkdirSync(cwd, { recursive: true });
    for (const [name, text] of Object.entries(step.files)) {
      const file = join(cwd, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, ours(text));
      if (name.endsWith('.sh')) chmodSync(file, 0o755);
    }
    this.#pace.begin();
    for (const wait of step.waitBefore ?? []) await this.#wait(wait, cwd);
    this.#pace.begin(step.ms);
    const cut =
      step.timedOut === true || (step.signal ?? null) !== null ? { afterMs: step.ms, signal: step.signal ?? 'SIGTERM' } : undefined;
    const [ran, beside] = await Promise.all([this.#play(step, cwd, cut), this.#beside(step.during ?? [], cwd)]);
    await this.#pace.end();
    const plain = (text: string): string => normalise(theirs(text)).replaceAll(this.#folder, '<tmp>');
    const differing = (kept?: (text: string) => string): string | undefined => {
      const all = [compare(step, ran, plain, kept)];
      for (const { recorded, ran: itself } of beside) {
        const other = compare(recorded, itself, plain, kept);
        if (other !== undefined) all.push(`meanwhile, kubectl ${recorded.args.join(' ')}: ${other}`);
      }
      const found = all.filter((each) => each !== undefined);
      return found.length === 0 ? undefined : found.join('\n     ');
    };
    const difference = differing();
    const without = (lines: RegExp): string | undefined =>
      differing((text) =>
        elements(text)
          .filter((line) => !lines.test(line))
          .join('\n'),
      );
    return {
      name: `${step.story} ${step.step}: kubectl ${step.args.join(' ')}`,
      args: step.args,
      without,
      ...(difference === undefined ? {} : { difference }),
    };
  }

  #play(
    { args, env = {}, stdin }: RecordedCommand,
    cwd: string,
    cut?: { readonly afterMs: number; readonly signal: NodeJS.Signals },
  ): Promise<CommandOutput> {
    return this.#run(
      args.map((arg) => ours(arg).replaceAll('<tmp>', this.#folder)),
      cwd,
      env,
      stdin,
      cut,
    );
  }

  /**
   * Runs commands beside one that has just started: with the recorded delay, but not before it has sent a request, and after the commands
   * that had ended before in the recording. So the order does not depend on the speed of the machine.
   */
  async #beside(
    all: NonNullable<StoryStep['during']>,
    cwd: string,
  ): Promise<readonly { readonly recorded: RecordedCommand; readonly ran: CommandOutput }[]> {
    const before = this.#asked();
    const began = performance.now();
    const running: { readonly recorded: RecordedCommand; readonly ran: Promise<CommandOutput> }[] = [];
    for (const [at, recorded] of all.entries()) {
      const ended = all
        .slice(0, at)
        .flatMap(({ afterMs, ms = 0 }, index) => (afterMs + ms <= recorded.afterMs ? (running[index]?.ran ?? []) : []));
      await Promise.all([...ended, sleep(Math.max(0, began + recorded.afterMs - performance.now()))]);
      while (this.#asked() === before && performance.now() - began < GIVE_UP_MS) await sleep(LOOK_MS);
      running.push({ recorded, ran: this.#play(recorded, cwd) });
    }
    return Promise.all(running.map(async ({ recorded, ran }) => ({ recorded, ran: await ran })));
  }

  async #wait({ args, match = '', sleepMs }: NonNullable<StoryStep['waitBefore']>[number], cwd: string): Promise<void> {
    if (sleepMs !== undefined) await sleep(sleepMs);
    if (args === undefined) return;
    for (let waited = 0; waited < GIVE_UP_MS; waited += POLL_MS) {
      const { out } = await this.#run(args, cwd, {}, undefined);
      if (new RegExp(match).test(out)) return;
      await sleep(POLL_MS);
    }
  }

  #run(
    args: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string>>,
    stdin: string | undefined,
    { afterMs, signal }: { readonly afterMs: number; readonly signal: NodeJS.Signals } = { afterMs: KILL_MS, signal: 'SIGTERM' },
  ): Promise<CommandOutput> {
    return new Promise((resolve, reject) => {
      const child = spawn('kubectl', [...args], { cwd, env: { ...this.#env, ...env } });
      let out = '';
      let err = '';
      const timer = setTimeout(() => {
        child.kill(signal);
      }, afterMs);
      child.stdout.on('data', (part: Buffer) => {
        out += part.toString('utf8');
      });
      child.stderr.on('data', (part: Buffer) => {
        err += part.toString('utf8');
      });
      child.on('error', reject);
      child.on('close', (exit) => {
        clearTimeout(timer);
        resolve({ exit, out, err });
      });
      child.stdin.end(stdin === undefined ? '' : ours(stdin));
    });
  }
}

const sleep = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms);
  });
