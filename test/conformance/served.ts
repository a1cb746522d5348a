/** A real `orchsim serve` in a separate process: recordings are replayed against the program that users run. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ServedOptions {
  /** The text of a scenario file. */
  readonly scenario: string;
  /** Lines `token,user,uid,"groups"`; absent: every request is allowed. */
  readonly tokens?: readonly string[];
  readonly words?: readonly string[];
  /** For requests to `/sim/v1` with access control. */
  readonly adminToken?: string;
}

export interface Served {
  readonly origin: string;
  readonly port: number;
  readonly pid: number;
  readonly kubeconfig: string;
  /** Sends a request below `/sim/v1`. Returns the JSON; throws if it is refused. */
  sim(route: string, body?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the logged internal errors. */
  failures(): string;
  close(): Promise<void>;
}

/** The program in the package of this module, from sources or built. */
function programFile(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'bin/orchsim.js');
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) throw new Error('bin/orchsim.js is not above this module');
  }
}

/** Starts a server on a free port of 127.0.0.1 and waits until it responds. Throws with its output if it does not. */
export async function serveProcess({ scenario, tokens, adminToken, words = [] }: ServedOptions): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-served-'));
  const file = join(folder, 'cluster.yaml');
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(file, scenario);
  if (tokens !== undefined) writeFileSync(join(folder, 'tokens'), `${tokens.join('\n')}\n`);
  const child = spawn(
    process.execPath,
    [
      programFile(),
      'serve',
      file,
      '--port',
      '0',
      '--json',
      '--kubeconfig',
      kubeconfig,
      ...(tokens === undefined ? [] : ['--auth', join(folder, 'tokens')]),
      ...words,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString('utf8');
  });
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  const close = async (): Promise<void> => {
    child.kill();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  const first = await firstLine(child.stdout, gone);
  if (first === undefined) {
    await close();
    throw new Error(`orchsim serve did not start: ${said}`);
  }
  const { port } = JSON.parse(first) as { readonly port: number };
  // With HTTPS, plain HTTP is served on the same port.
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    pid: child.pid ?? 0,
    kubeconfig,
    failures: () => said,
    close,
    async sim(route, body) {
      const answer = await fetch(`${origin}/sim/v1/${route}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', ...(adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }) },
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`/sim/v1/${route}: ${answer.status} ${text}`);
      return JSON.parse(text) as Readonly<Record<string, unknown>>;
    },
  };
}

/** Undefined if the stream ended without a line. */
function firstLine(stream: NodeJS.ReadableStream, gone: Promise<void>): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', (part: Buffer) => {
      text += part.toString('utf8');
      const at = text.indexOf('\n');
      if (at >= 0) resolve(text.slice(0, at));
    });
    void gone.then(() => resolve(undefined));
  });
}

/** The cluster of the recordings: no nodes, the names and the year of the real one. */
export const recordedCluster = (gates: Readonly<Record<string, boolean>> = {}): string =>
  [
    'apiVersion: scenario.orch.io/v1',
    'kind: Scenario',
    'metadata: { name: recorded }',
    `spec: { title: As it was recorded, domain: k8s.io, startTime: "2026-11-20T06:00:00Z", featureGates: ${JSON.stringify(gates)}, cluster: { nodes: { count: 0 } } }`,
    '',
  ].join('\n');
