/** A Go client with the official client library, unchanged: a tool server with JSON lines (Model Context Protocol). */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const PLATFORMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const MACHINES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The program of this platform; undefined: its package is not installed. */
export function goClient(): string | undefined {
  const name = `kubernetes-mcp-server-${PLATFORMS[process.platform] ?? process.platform}-${MACHINES[process.arch] ?? process.arch}`;
  try {
    return join(
      dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)),
      'bin',
      process.platform === 'win32' ? `${name}.exe` : name,
    );
  } catch {
    return undefined;
  }
}

export interface Answer {
  readonly text: string;
  readonly failed: boolean;
}

export interface GoClient {
  /** Calls one of its tools. */
  call(tool: string, given?: Readonly<Record<string, unknown>>): Promise<Answer>;
  close(): void;
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean };
  readonly error?: { readonly message: string };
}

export async function startGoClient(program: string, kubeconfig: string): Promise<GoClient> {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-go-'));
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const child = spawn(program, ['--kubeconfig', file, '--disable-multi-cluster'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, { resolve(message: Message): void; reject(error: Error): void }>();
  child.on('close', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the Go client ended with code ${String(code)}`));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.resolve(message);
  });
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  let last = 0;
  const ask = (method: string, params: object): Promise<Message> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, {
        resolve: (message) => {
          waiting.delete(id);
          resolve(message);
        },
        reject,
      });
      send({ id, method, params });
    });
  await ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'orchsim', version: '0' } });
  send({ method: 'notifications/initialized' });
  return {
    async call(tool, given = {}) {
      const { result, error } = await ask('tools/call', { name: tool, arguments: given });
      if (error !== undefined || result === undefined) throw new Error(`${tool}: ${error?.message ?? 'no answer'}`);
      return { text: (result.content ?? []).map(({ text = '' }) => text).join('\n'), failed: result.isError === true };
    },
    close() {
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}
