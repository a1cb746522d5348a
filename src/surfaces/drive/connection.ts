/**
 * How a program reaches its world: a kubeconfig of its own and the environment with it, or what a pod has. No other kubeconfig is handed
 * on.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { kubeconfigFor } from '../http/index.ts';

export interface Connection {
  readonly name: string;
  /** Names its requests: every program has its own. */
  readonly token: string;
  readonly server: string;
  readonly kubeconfig: string;
  /** The folder with the files of a service account; absent: the program is outside the cluster. */
  readonly serviceAccount?: string;
}

/** Where clients in a pod look for the files of its service account. */
export const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

export const newToken = (): string => randomBytes(24).toString('hex');

/** Writes the kubeconfig of a client into a folder, readable only for its owner. */
export function writeConnection(folder: string, name: string, token: string, server: string, ca?: string): Connection {
  const kubeconfig = join(folder, `${name}.kubeconfig`);
  writeFileSync(kubeconfig, kubeconfigFor(server, { token, ca }), { mode: 0o600 });
  return { name, token, server, kubeconfig };
}

export const SERVICE_ACCOUNT_FILES = ['token', 'ca.crt', 'namespace'] as const;

/** Writes the files that a pod has of its service account. Returns what removes them, and the folders that were made for them. */
export function writeServiceAccount(folder: string, token: string, ca: string): () => void {
  const made = mkdirSync(folder, { recursive: true });
  const contents = { token, 'ca.crt': ca, namespace: 'default' };
  for (const name of SERVICE_ACCOUNT_FILES) writeFileSync(join(folder, name), contents[name], { mode: 0o600 });
  return () => {
    for (const name of SERVICE_ACCOUNT_FILES) rmSync(join(folder, name), { force: true });
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
  };
}

/** Replaces `{kubeconfig}`, `{server}`, `{token}`, `{name}` and `{serviceaccount}` in the words of a command. */
export function filledIn(command: readonly string[], { kubeconfig, server, token, name, serviceAccount = '' }: Connection) {
  const values: Readonly<Record<string, string>> = { kubeconfig, server, token, name, serviceaccount: serviceAccount };
  return command.map((word) =>
    word.replaceAll(/\{(kubeconfig|server|token|name|serviceaccount)\}/g, (_, what: string) => values[what] ?? ''),
  );
}

/**
 * The environment of this process, without ways to another cluster. In a pod there is no kubeconfig, and none in the home folder, which is
 * that of the run.
 */
export function environmentOf({ kubeconfig, name, server, serviceAccount }: Connection, own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { KUBERNETES_SERVICE_HOST: _, KUBERNETES_SERVICE_PORT: __, KUBECONFIG: ___, ...rest } = process.env;
  const common = { ...rest, ...own, ORCHSIM_CLIENT: name };
  if (serviceAccount === undefined) return { ...common, KUBECONFIG: kubeconfig };
  const { hostname, port } = new URL(server);
  return { ...common, HOME: dirname(kubeconfig), KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
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
