/** The world of a driven run: a scenario that has been set up, served on a free port, and held while programs are at work. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskWebhook } from '../../apiserver/admission/index.ts';
import { stage, type Staged } from '../../lab/simulation/index.ts';
import type { Definitions } from '../../lab/definitions/index.ts';
import type { ClientSpec, Scenario } from '../../lab/scenario/index.ts';
import type { Entry } from '../../lab/trace/index.ts';
import { createGate, createSession, listen, serverHosts, type ClientEvent } from '../http/index.ts';
import { newToken, writeConnection, type Connection } from './connection.ts';

export interface WorldOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly definitions: Definitions;
  readonly clients: readonly ClientSpec[];
  readonly webhooks?: AskWebhook | undefined;
  holds(to: number): boolean;
  onClient(event: ClientEvent): void;
  onEntry?(entry: Entry, step: number): void;
}

export interface DrivenWorld {
  readonly staged: Staged;
  readonly server: string;
  readonly connections: ReadonlyMap<string, Connection>;
  /** Frees the port, and removes what was written. */
  close(): Promise<void>;
}

export async function openWorld(options: WorldOptions): Promise<DrivenWorld> {
  const { scenario, seed, definitions, clients, webhooks, holds, onClient, onEntry } = options;
  const tokens = new Map(clients.map(({ name }) => [newToken(), name]));
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-'));
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
    credentials: tokens,
    onClient,
    watched: () => false,
    onReset: () => undefined,
  });
  isOpen = true;
  const gate = ({ host, port }: { readonly host: string; readonly port: number }) =>
    createGate({ isServerHost: serverHosts(host, port), address: `${host}:${port}`, allowed: new Set() });
  const listening = await listen(session.answer, { port: 0, gate, admit: session.admit });
  const server = `http://127.0.0.1:${listening.port}`;
  if (staged === undefined) throw new Error('the session has not started');
  return {
    staged,
    server,
    connections: new Map([...tokens].map(([token, name]) => [name, writeConnection(folder, name, token, server)])),
    async close() {
      session.stop();
      await listening.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
