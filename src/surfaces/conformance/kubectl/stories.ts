/** Recorded kubectl stories, told again by the installed kubectl against a served cluster: the same words must come out. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSession, kubeconfigFor, listen } from '../../http/index.ts';
import { simulate } from '../../../lab/simulation/index.ts';
import { readScenarios } from '../../../lab/vocabulary.ts';
import { normalise } from './normalise.ts';

export interface StoryStep {
  readonly story: string;
  readonly step: number;
  readonly phase: string;
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly waitBefore?: readonly { readonly args?: readonly string[]; readonly match?: string; readonly sleepMs?: number }[];
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly outNorm?: string;
  readonly errNorm?: string;
  readonly unstable: readonly string[];
}

export interface StepOutcome { readonly name: string; readonly args: readonly string[]; readonly difference?: string }

export const hasKubectl = (): boolean => spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

const CLUSTER = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: stories }
spec:
  title: The cluster of the stories
  domain: k8s.io
  cluster:
    nodes: { count: 3, capacity: { cpu: "64", memory: 256Gi, pods: "500" } }
    storageDrivers: [{ name: csi.fake.example, attachDelay: 300ms, detachDelay: 300ms, provisionDelay: 200ms, storageClasses: [{ name: fake-csi, volumeBindingMode: Immediate, reclaimPolicy: Delete }] }]
    podBehaviors: [{ startDelay: 300ms }]
`;

const POLL_MS = 150;
const GIVE_UP_MS = 20_000;
const KILL_MS = 40_000;

/** Annotations that say what pods do have a longer prefix here. */
const ours = (text: string): string => text.replace(/(?<![\w.])sim\/(?=[a-z])/g, 'sim.orch.io/');
const theirs = (text: string): string => text.replaceAll('sim.orch.io/', 'sim/');

interface Ran { readonly exit: number | null; readonly out: string; readonly err: string }

/** Tells all stories one after the other on one cluster; `only` picks stories by name. */
export async function tellStories(steps: readonly StoryStep[], only: string): Promise<readonly StepOutcome[]> {
  const read = readScenarios(CLUSTER);
  if (!('scenarios' in read) || read.scenarios[0] === undefined) throw new Error('the cluster of the stories does not read');
  const scenario = { ...read.scenarios[0], startAt: Math.floor(Date.now() / 1000) * 1000, limits: { steps: Number.MAX_SAFE_INTEGER, timeMs: Number.MAX_SAFE_INTEGER } };
  const session = createSession({
    start: (onEntry) => ({ cluster: simulate(scenario, { onEntry, invariants: [] }).cluster, troubles: [] }),
    clock: 'realtime', speed: 1, watched: () => false, onReset: () => {},
  });
  const listening = await listen(session.answer, { port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-stories-'));
  const teller = new Teller(folder, `http://127.0.0.1:${listening.port}`);
  const outcomes: StepOutcome[] = [];
  try {
    for (const step of steps.filter(({ story }) => only === '' || story.includes(only))) outcomes.push(await teller.tell(step));
  } finally {
    session.stop();
    await listening.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return outcomes;
}

class Teller {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(folder: string, server: string) {
    this.#folder = folder;
    const config = join(folder, 'kubeconfig');
    writeFileSync(config, kubeconfigFor(server));
    mkdirSync(join(folder, 'tmp'));
    this.#env = { PATH: process.env['PATH'] ?? '', KUBECONFIG: config, KUBECACHEDIR: join(folder, 'cache'), HOME: folder, TMPDIR: join(folder, 'tmp'), TZ: 'UTC', LANG: 'C' };
  }

  async tell(step: StoryStep): Promise<StepOutcome> {
    const cwd = join(this.#folder, step.story);
    mkdirSync(cwd, { recursive: true });
    for (const [name, text] of Object.entries(step.files)) {
      const file = join(cwd, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, ours(text));
      if (name.endsWith('.sh')) chmodSync(file, 0o755);
    }
    for (const wait of step.waitBefore ?? []) await this.#wait(wait, cwd);
    const ran = await this.#run(step.args.map((arg) => ours(arg).replaceAll('<tmp>', this.#folder)), cwd, step.env, step.stdin);
    const difference = compare(step, ran, (text) => normalise(theirs(text)).replaceAll(this.#folder, '<tmp>'));
    return { name: `${step.story} ${step.step}: kubectl ${step.args.join(' ')}`, args: step.args, ...(difference === undefined ? {} : { difference }) };
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

  #run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>, stdin: string | undefined): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = spawn('kubectl', [...args], { cwd, env: { ...this.#env, ...env } });
      let out = '';
      let err = '';
      const timer = setTimeout(() => { child.kill(); }, KILL_MS);
      child.stdout.on('data', (part: Buffer) => { out += part.toString('utf8'); });
      child.stderr.on('data', (part: Buffer) => { err += part.toString('utf8'); });
      child.on('error', reject);
      child.on('close', (exit) => { clearTimeout(timer); resolve({ exit, out, err }); });
      child.stdin.end(stdin === undefined ? '' : ours(stdin));
    });
  }
}

const sleep = (ms: number): Promise<void> => new Promise((done) => { setTimeout(done, ms); });

/** `plain`: what was said, comparable; the recordings call the folder of their own run by a name. */
function compare({ args, exit, stdout, stderr, outNorm, errNorm, unstable }: StoryStep, ran: Ran, plain: (text: string) => string): string | undefined {
  const parts: string[] = [];
  if (!unstable.includes('exit') && ran.exit !== exit) parts.push(`exit ${ran.exit ?? 'killed'}, recorded ${exit}`);
  if (!unstable.includes('stdout')) parts.push(...firstLine('out', told(args, outNorm ?? normalise(stdout)), told(args, plain(ran.out))));
  if (!unstable.includes('stderr')) parts.push(...firstLine('err', errNorm ?? normalise(stderr), plain(ran.err)));
  return parts.length === 0 ? undefined : parts.join('\n     ');
}

/** Descriptions of fields are in our own words: of `explain` everything else counts, names, types, what is required and what may stand there. */
const told = ([verb]: readonly string[], text: string): string => (verb === 'explain' ? text.split('\n').filter((line) => /^[A-Z]+:|^ *[^ ]+(?: {2}|\t)<|^ *enum:/.test(line)).join('\n') : text);

/** The first line that differs. */
function firstLine(name: string, wanted: string, got: string): readonly string[] {
  if (wanted === got) return [];
  const [a, b] = [wanted.split('\n'), got.split('\n')];
  const at = a.findIndex((line, index) => line !== b[index]);
  const index = at < 0 ? a.length : at;
  return [`${name} line ${index + 1}: want ${(a[index] ?? '(nothing)').slice(0, 300)}`, `${' '.repeat(name.length)}            got  ${(b[index] ?? '(nothing)').slice(0, 300)}`];
}
