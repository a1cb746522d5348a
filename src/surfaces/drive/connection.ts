/** How a program reaches its world: a kubeconfig of its own, and the environment with it. No other kubeconfig is handed on. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { kubeconfigFor } from '../http/index.ts';

export interface Connection {
  readonly name: string;
  /** Names its requests: every program has its own. */
  readonly token: string;
  readonly kubeconfig: string;
}

export const newToken = (): string => randomBytes(24).toString('hex');

/** Writes the kubeconfig of a client into a folder, readable only for its owner. */
export function writeConnection(folder: string, name: string, token: string, server: string, ca?: string): Connection {
  const kubeconfig = join(folder, `${name}.kubeconfig`);
  writeFileSync(kubeconfig, kubeconfigFor(server, { token, ca }), { mode: 0o600 });
  return { name, token, kubeconfig };
}

/** Replaces `{kubeconfig}`, `{server}`, `{token}` and `{name}` in the words of a command. */
export const filledIn = (command: readonly string[], server: string, { kubeconfig, token, name }: Connection): readonly string[] =>
  command.map((word) =>
    word.replaceAll(/\{(kubeconfig|server|token|name)\}/g, (_, what: string) => ({ kubeconfig, server, token, name })[what] ?? ''),
  );

/** The environment of this process, without ways to another cluster. */
export function environmentOf({ kubeconfig, name }: Connection, own: Readonly<Record<string, string | undefined>>) {
  const { KUBERNETES_SERVICE_HOST: _, KUBERNETES_SERVICE_PORT: __, ...rest } = process.env;
  return { ...rest, ...own, KUBECONFIG: kubeconfig, ORCHSIM_CLIENT: name };
}

const LARGEST_KUBECONFIG = 256 * 1024;

/** Returns the word of a command that hands on a kubeconfig of another cluster; undefined: none does. */
export function foreignKubeconfig(command: readonly string[], cwd: string): string | undefined {
  for (const [at, word] of command.entries()) {
    const option = /^--?kubeconfig(?:=(.*))?$/s.exec(word);
    const named = option === null ? /^KUBECONFIG=(.*)$/s.exec(word)?.[1] : (option[1] ?? command[at + 1] ?? '');
    if (named !== undefined && !named.includes('{kubeconfig}'))
      return option !== null && option[1] === undefined ? `${word} ${named}` : word;
    const file = word.includes('=') ? word.slice(word.indexOf('=') + 1) : word;
    if (at > 0 && isKubeconfig(resolve(cwd, file))) return word;
  }
  return undefined;
}

function isKubeconfig(file: string): boolean {
  try {
    const { size } = statSync(file);
    if (size > LARGEST_KUBECONFIG) return false;
    const text = readFileSync(file, 'utf8');
    return /^["']?kind["']?\s*:\s*["']?Config\b/m.test(text) && /\bclusters["']?\s*:/.test(text) && /\bcurrent-context\b/.test(text);
  } catch {
    return false;
  }
}
