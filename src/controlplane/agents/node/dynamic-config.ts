/**
 * The agent's dynamic configuration (deprecated): it reads the ConfigMap of `spec.configSource`, tries it, and accepts it as last known
 * good after ten minutes. The configuration is stored on the machine and used from the agent's next start. Models: v1.21
 * pkg/kubelet/kubeletconfig (controller, status); spec resource-api.md, Node status.config. Simplified: the agent does not restart by
 * itself to use a configuration, and a restart starts the ten minutes anew.
 */
import { readYaml } from '../../../schema/yaml/index.ts';
import type { ConfigMap, Node } from '../../../apiserver/kinds/index.ts';
import { type FeatureGates, GATES, type Names, type RulesMode, rulesOf } from '../../../apiserver/machinery/index.ts';
import { parseAgentConfig } from '../../config/index.ts';
import { sameJson } from '../../../apiserver/patch/index.ts';
import type { Checkpoints, Machine } from './machine.ts';
import { defineController, idle, watch, type Outcome, type Write } from '../../runtime/index.ts';

/** The trial period of a configuration, milliseconds. */
const SOAK_MS = 600_000;

type PatchOperation = { readonly op: 'add'; readonly value: ConfigStatus } | { readonly op: 'remove' };
type Source = Readonly<Record<string, Readonly<Record<string, string>>>>;
interface ConfigStatus {
  readonly assigned?: Source;
  readonly active?: Source;
  readonly lastKnownGood?: Source;
  readonly error?: string;
}
/** The configuration in trial, and since when; nothing when the source was reset. */
interface Memory {
  readonly assigned: Source;
  readonly since: number;
}

const failedTo = (what: string, { agentName: agent }: Names): string =>
  `failed to ${what} config, see ${agent.charAt(0).toUpperCase()}${agent.slice(1)} log for details`;

function readConfig(
  text: string | undefined,
  names: Names,
  { rules, gates }: { readonly rules: RulesMode; readonly gates: FeatureGates },
): { readonly parsed: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  const failed = (what: string): { readonly problem: string } => ({ problem: failedTo(what, names) });
  if (text === undefined) return failed('load');
  const {
    documents: [document, second],
    problems,
  } = readYaml(text, 'config');
  if (document?.shape !== 'map' || second !== undefined || problems.length > 0) return failed('load');
  const set = Object.fromEntries(Object.entries(gates).filter(([name, on]) => GATES.get(name)?.default !== on));
  return parseAgentConfig(document.plain, { rules, gates: set }).errors.length > 0 ? failed('validate') : { parsed: document.plain };
}

const statusWrite = (node: Node, patch: PatchOperation): Write => ({
  op: 'patch',
  kind: 'Node',
  name: node.metadata.name,
  subresource: 'status',
  patchType: 'json',
  patch: [{ ...patch, path: '/status/config' }],
  tolerate: ['NotFound', 'Conflict'],
});

const report = (node: Node, before: ConfigStatus | undefined, config: ConfigStatus): readonly Write[] =>
  sameJson(before ?? {}, config) ? [] : [statusWrite(node, { op: 'add', value: config })];

const readFrom = (map: ConfigMap, names: Names, key: string): Source => ({
  configMap: {
    namespace: map.metadata.namespace ?? '',
    name: map.metadata.name,
    uid: map.metadata.uid,
    resourceVersion: map.metadata.resourceVersion,
    [names.fields.agentConfigKey]: key,
  },
});

/** What the machine stores from now on. */
interface Action {
  readonly keep: Checkpoints;
}

const NOTHING_KEPT: Checkpoints = Object.freeze({});

/** `machine`: keeps what the agent is assigned. `runs`: what it goes by, where that is not its own file. */
export const dynamicConfig = (nodeName: string, machine: Pick<Machine, 'checkpoints'>, runs?: Checkpoints['active']) =>
  defineController<'Node', Memory, undefined, Action>({
    name: 'dynamic-config',
    component: 'kubelet',
    reconciles: 'Node',
    writes: ['Node'],
    models: 'v1.21 pkg/kubelet/kubeletconfig. The agent exits to take a configuration up, and is started again.',
    self: { only: { index: 'name', value: () => nodeName } },
    watches: [
      watch('ConfigMap', ({ object: { metadata } }, { cache }) => {
        const wanted = (cache.get('Node', undefined, nodeName)?.spec.configSource as Source | undefined)?.['configMap'];
        return wanted?.['name'] === metadata.name && wanted['namespace'] === metadata.namespace ? nodeName : undefined;
      }),
    ],
    act({ keep }) {
      machine.checkpoints = keep;
    },
    reconcile({ self: node, cache, names, rules, gates, now, memory }): Outcome<Memory, Action> {
      const kept = (is: Checkpoints): { readonly actions?: readonly Action[] } =>
        sameJson(machine.checkpoints ?? {}, is) ? {} : { actions: [{ keep: is }] };
      /** What is done where it goes by this; by another, it has to start again first. */
      const goingBy = (is: Checkpoints, outcome: Outcome<Memory, Action>): Outcome<Memory, Action> =>
        sameJson(runs ?? null, is.active ?? null)
          ? { ...outcome, ...kept(is) }
          : { why: 'it has to go by another configuration: it exits and starts again', writes: [], ...kept(is), process: 'exit' };
      const source = (node.spec.configSource as Source | undefined)?.['configMap'];
      const before = node.status.config as ConfigStatus | undefined;
      if (source === undefined) {
        return before === undefined
          ? idle('it has no dynamic configuration')
          : goingBy(NOTHING_KEPT, {
              why: 'its configSource was removed, and the last known good configuration with it',
              writes: [statusWrite(node, { op: 'remove' })],
              memory: null,
            });
      }
      const map = cache.get('ConfigMap', source['namespace'], source['name'] ?? '');
      if (map === undefined) {
        return {
          why: 'the ConfigMap of its configSource cannot be read',
          writes: report(node, before, { ...before, error: `failed to sync: ${failedTo('download', names)}` }),
        };
      }
      const key = source[names.fields.agentConfigKey] ?? '';
      const assigned = readFrom(map, names, key);
      const since = memory !== undefined && sameJson(memory.assigned, assigned) ? memory.since : now;
      const read = readConfig(map.data?.[key], names, { rules: rulesOf({ rules, names }), gates });
      const { good: known } = machine.checkpoints ?? {};
      const trusted = before?.lastKnownGood;
      if ('problem' in read) {
        const fallback = trusted === undefined ? {} : { active: trusted, lastKnownGood: trusted };
        return goingBy(known === undefined ? NOTHING_KEPT : { active: known, good: known }, {
          why: 'the assigned configuration is invalid: back to the last known good one',
          writes: report(node, before, { assigned, ...fallback, error: read.problem }),
          memory: { assigned, since },
        });
      }
      const soaked = now - since >= SOAK_MS;
      const good = soaked ? assigned : trusted;
      const why = soaked
        ? 'the assigned configuration has been active for ten minutes: it is the last known good one now'
        : 'the assigned configuration is active, on trial for ten minutes';
      return goingBy(
        { active: read.parsed, ...(soaked ? { good: read.parsed } : known === undefined ? {} : { good: known }) },
        {
          why,
          writes: report(node, before, { assigned, active: assigned, ...(good === undefined ? {} : { lastKnownGood: good }) }),
          memory: { assigned, since },
          ...(soaked ? {} : { wakeAt: since + SOAK_MS }),
        },
      );
    },
    reconcileAbsent: () => ({ why: 'it is gone', writes: [], memory: null }),
  });
