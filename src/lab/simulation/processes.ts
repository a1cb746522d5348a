/** Processes that refuse to start because of their configuration, and lint warnings about the configuration of others. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { type EffectiveValue, inertGate, parseAgentConfig, parseSchedulerFlags, withoutEffect } from '../../controlplane/config/index.ts';
import type { ExpectedError, LintWarning, Scenario, SchedulerSpec } from '../scenario/index.ts';
import { noteFailure, type Record } from './run-record.ts';
import { noProcess } from './process-answers.ts';
import { type Trouble, troubleOf } from './run.ts';

/** Starts a process that must refuse to start. */
export function performRefusedStart(
  record: Record,
  cluster: Cluster,
  name: string,
  { message = '' }: ExpectedError,
  causes: readonly number[],
): Trouble | undefined {
  const process = cluster.runtime.process(name);
  if (process === undefined) return noProcess(cluster, name);
  if (process.up) return troubleOf(`${name} is up: it has not refused to start`, ['  a later configuration applies at its next start']);
  const { refusal } = process.next ?? process.spec;
  if (refusal === undefined) return troubleOf(`expected ${name} to refuse to start, but it would start`);
  if (!refusal.includes(message))
    return troubleOf(`${name} refused to start with another message`, [`  expected  ${message}`, `  found     ${refusal}`]);
  record.refusals.delete(name);
  cluster.runtime.restart(name, cluster.now, causes);
  record.refusalsExpected.add(`${name}: ${refusal}`);
  return undefined;
}

/** Records every refusal that no step expected as a failure. */
export function noteRefusals(record: Record, cluster: Cluster): void {
  for (const [name, refusal] of record.refusals)
    if (!record.refusalsExpected.has(`${name}: ${refusal}`)) {
      const hint = `  if that is intended: expectError: { start: ${name}, message: … }`;
      noteFailure(record, cluster, 'step', troubleOf(`${name} does not start: ${refusal}`, [hint]));
    }
}

/**
 * Returns lint warnings about the configuration of processes: feature gates in which a process differs from its cluster, and settings
 * without effect, each once; and about faults on clients, which no program plays unless the run is driven.
 */
export function lintWarningsOnStarts(
  { featureGates, lintWarnings = [], clients = [], steps, cluster: { agent, agentFlags = [], nodes, scheduler, schedulers } }: Scenario,
  { runtime, gates }: Cluster,
  isDriven: boolean,
): readonly LintWarning[] {
  const own = runtime.names().flatMap((name) => {
    const differing = Object.entries(runtime.process(name)?.spec.gates ?? {}).filter(([gate, on]) => gates[gate] !== on);
    return differing.length === 0
      ? []
      : [`${name} has its own gates: ${differing.map(([gate, on]) => `${gate} ${on ? 'on' : 'off'}`).join(', ')}`];
  });
  const inert = new Map<string, string>();
  const lintWarning = (process: 'agent' | 'scheduler', name: string, values: readonly EffectiveValue[]): void => {
    for (const { path, because } of withoutEffect(process, values))
      if (!inert.has(`${process} ${path}`)) inert.set(`${process} ${path}`, `${path} of ${name} changes nothing in a run: ${because}`);
  };
  for (const gate of Object.keys(featureGates)) {
    const because = inertGate(gate);
    if (because !== undefined) inert.set(gate, `gate ${gate} changes nothing in a run: ${because}`);
  }
  const seen = new Set<unknown>();
  for (const node of nodes) {
    const config = node.agent ?? agent;
    const start = node.agentFlags ?? config;
    if (seen.has(start)) continue;
    seen.add(start);
    const flags = [...agentFlags, ...(node.agentFlags ?? [])];
    lintWarning('agent', `agent/${node.name}`, parseAgentConfig(config, { fragment: true, flags }).values);
  }
  const all: readonly SchedulerSpec[] = typeof schedulers === 'object' ? schedulers : [{ name: 'scheduler' }];
  for (const { name, flags = [] } of all) lintWarning('scheduler', name, parseSchedulerFlags([...scheduler, ...flags]).values);
  return [...[...lintWarnings, ...own, ...inert.values()].map((text) => ({ text })), ...(isDriven ? [] : onClients(clients, steps))];
}

const onClients = (clients: NonNullable<Scenario['clients']>, steps: Scenario['steps']): readonly LintWarning[] =>
  clients.flatMap(({ name }) => {
    const step = steps.find((each) => each.verb === 'fault' && each.fault.subject === name);
    if (step === undefined) return [];
    return [
      { ...step.source, text: `faults on ${name} change nothing here, because no program plays it: run orchsim drive PATH -- COMMAND` },
    ];
  });
