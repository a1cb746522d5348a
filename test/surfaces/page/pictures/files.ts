/** The files for pictures, each created once, by the program. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { orchsim } from '../chromium.ts';
import { CHANCE, LONG_NAMES, TWO_THOUSAND } from './scenarios.ts';

const root = join(import.meta.dirname, '../../../..');

interface Files {
  /** The address of a page, or of a served cluster; created at the first request. */
  address(name: FileName | 'live'): Promise<string>;
  /** Stops the started servers. */
  close(): void;
}

export type FileName = keyof typeof MAKERS;
type Maker = (folder: string, path: string) => Promise<void>;

/** A failing run has another exit code, and has written its page anyway. */
async function evenFailing(...args: readonly string[]): Promise<void> {
  try {
    await orchsim(...args);
  } catch (error) {
    if (typeof error !== 'object' || error === null || !('status' in error) || error.status !== 1) throw error;
  }
}

const ofText =
  (text: string): Maker =>
  async (folder, path) => {
    const scenario = join(folder, 'scenario.yaml');
    writeFileSync(scenario, text);
    await orchsim('page', scenario, '--out', path, '--force');
  };

const MAKERS = {
  play: async (_, path) => void (await orchsim('play', '--no-open', '--out', path, '--force')),
  recorded: (_, path) => evenFailing('run', 'scenarios/stateful-set/03-rolling-update.yaml', '--page', path, '--force'),
  failure: (_, path) => evenFailing('run', 'scenarios/broken', '--page', path, '--force'),
  sweep: (folder, path) => {
    const scenario = join(folder, 'chance.yaml');
    writeFileSync(scenario, CHANCE);
    return evenFailing('run', scenario, '--seeds', '1..30', '--page', path, '--force');
  },
  crowd: ofText(TWO_THOUSAND),
  long: ofText(LONG_NAMES),
} as const satisfies Readonly<Record<string, Maker>>;

/** Files in a folder, and a served cluster as `live`. */
export function filesIn(folder: string): Files {
  mkdirSync(folder, { recursive: true });
  const made = new Map<string, string>();
  const closing: (() => void)[] = [];
  return {
    async address(name) {
      const known = made.get(name);
      if (known !== undefined) return known;
      const address = name === 'live' ? await served(closing) : await fileAddress(folder, name);
      made.set(name, address);
      return address;
    },
    close() {
      for (const close of closing) close();
    },
  };
}

async function fileAddress(folder: string, name: FileName): Promise<string> {
  const path = join(folder, `${name}.html`);
  await MAKERS[name](folder, path);
  return pathToFileURL(path).href;
}

/** A server with a Job, some seconds after its start. */
async function served(closing: (() => void)[]): Promise<string> {
  const server = spawn(process.execPath, [join(root, 'bin/orchsim.js'), 'serve', '--port', '0', '--json', '--clock', 'manual'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closing.push(() => server.kill());
  const port = await new Promise<number>((resolve) => {
    server.stdout.once('data', (line: Buffer) => {
      resolve((JSON.parse(line.toString()) as { readonly port: number }).port);
    });
  });
  const base = `http://127.0.0.1:${port}`;
  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  await post('/apis/batch/v1/namespaces/default/jobs', JOB);
  await post('/sim/v1/advance', { by: '10s' });
  return `${base}/`;
}

const JOB = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'trio' },
  spec: { completions: 3, parallelism: 3, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c:1' }] } } },
};
