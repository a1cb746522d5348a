/** The world of a driven run: a scenario that has been set up, served on a free port, and held while programs are at work. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AskWebhook } from '../../apiserver/admission/index.ts';
import { stage, type Staged } from '../../lab/simulation/index.ts';
import type { Definitions } from '../../lab/definitions/index.ts';
import type { ClientSpec, Scenario } from '../../lab/scenario/index.ts';
import type { Entry } from '../../lab/trace/index.ts';
import { createAuthority, createGate, createSession, listen, serverHosts, type ClientEvent, type Session } from '../http/index.ts';
import { newToken, writeConnection, writeServiceAccount, type Connection } from './connection.ts';

export interface WorldOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly definitions: Definitions;
  readonly clients: readonly ClientSpec[];
  /** Sends reviews to webhooks; absent: configurations are stored and not asked. */
  readonly webhooks?: AskWebhook | undefined;
  /** Whether requests of later releases are answered too. */
  readonly compat?: boolean | undefined;
  /** Programs get what a pod has, in place of a kubeconfig; its files in this folder, or in one of the run. */
  readonly inCluster?: { readonly folder?: string };
  /** Called when the port is open, before the world is made: programs that start meanwhile find it. */
  onOpen(connections: ReadonlyMap<string, Connection>): void;
  holds(to: number): boolean;
  onClient(event: ClientEvent): void;
  /** Called for each entry since the world is open, with its step. */
  onEntry?(entry: Entry, step: number): void;
}

export interface DrivenWorld {
  readonly staged: Staged;
  /** Frees the port, and removes what was written. */
  close(): Promise<void>;
}

export async function openWorld(options: WorldOptions): Promise<DrivenWorld> {
  const tokens = new Map(options.clients.map(({ name }) => [newToken(), name]));
  const folder = temporaryFolder();
  const pod = options.inCluster === undefined ? undefined : await securedLocally();
  let session: Session | undefined;
  // No request is read before the session is there: until then this thread does nothing else.
  const current = (): Session => {
    if (session === undefined) throw new Error('a request came before the world was made');
    return session;
  };
  const listening = await listen((http) => current().answer(http), {
    port: 0,
    gate: ({ host, port }) => createGate({ isServerHost: serverHosts(host, port), address: `${host}:${port}`, allowed: new Set() }),
    admit: (head) => current().admit(head),
    tls: pod?.tls,
  });
  const server = `${pod === undefined ? 'http' : 'https'}://127.0.0.1:${listening.port}`;
  const outside = [...tokens].map(([token, name]) => writeConnection(folder.path, name, token, server, pod?.ca));
  const pods = pod === undefined ? [] : outside.map((connection) => podOf(connection, options.inCluster?.folder, pod.ca));
  const connections = new Map((pod === undefined ? outside : pods.map(({ connection }) => connection)).map((each) => [each.name, each]));
  const close = async (): Promise<void> => {
    session?.stop();
    await listening.close();
    for (const { remove } of pods) remove();
    folder.remove();
  };
  try {
    options.onOpen(connections);
    const made = sessionOf(options, tokens);
    ({ session } = made);
    return { staged: made.staged, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function sessionOf(options: WorldOptions, credentials: ReadonlyMap<string, string>) {
  const { scenario, seed, definitions, clients, webhooks, compat = false, holds, onClient, onEntry } = options;
  let staged: Staged | undefined;
  let step = 0;
  let isOpen = false;
  const session = createSession({
    start(add, { onPrologue, onRenewalInterval }) {
      staged = stage(
        { ...scenario, clients },
        {
          seed,
          trace: true,
          with: definitions,
          webhooks,
          mayBeIdle: true,
          onPrologue,
          onRenewalInterval,
          onEntry(entry) {
            add(entry);
            step++;
            // Before it, the server registers what it serves.
            if (isOpen) onEntry?.(entry, step);
          },
        },
        holds,
      );
      return { cluster: staged.cluster, scenario: scenario.name, seed, clients, definitions, troubles: [] };
    },
    clock: 'manual',
    speed: 1,
    compat,
    credentials,
    onClient,
    watched: () => false,
    onReset: () => undefined,
  });
  isOpen = true;
  if (staged === undefined) throw new Error('the session has not started');
  return { session, staged };
}

/** Folders that are removed when this process exits before their worlds are closed. */
const folders = new Set<string>();
const removeAll = (): void => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
};

function temporaryFolder(): { readonly path: string; remove(): void } {
  if (folders.size === 0) process.off('exit', removeAll).once('exit', removeAll);
  const path = mkdtempSync(join(tmpdir(), 'orchsim-'));
  folders.add(path);
  return {
    path,
    remove() {
      folders.delete(path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

let secured: ReturnType<typeof makeSecured> | undefined;

/** Clients in a pod speak HTTPS. One authority is enough for all worlds of this process. */
const securedLocally = () => (secured ??= makeSecured());

async function makeSecured() {
  const authority = await createAuthority();
  return { ca: authority.certificate, tls: { ...(await authority.forServer(['127.0.0.1'])), clientCas: [], plainToo: false } };
}

/** A program as it is in a pod: the files of its service account are in the folder that was asked for, or beside its kubeconfig. */
function podOf(connection: Connection, folder: string | undefined, ca: string) {
  const serviceAccount = folder ?? join(dirname(connection.kubeconfig), connection.name, 'serviceaccount');
  return { connection: { ...connection, serviceAccount }, remove: writeServiceAccount(serviceAccount, connection.token, ca) };
}
