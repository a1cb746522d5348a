/** A node and its agent: `machine.ts` simulates the containers, the controllers are the agent, `configuration.ts` computes its settings. */
import type { Controller, ProcessSpec, RequestRate } from '../../runtime/index.ts';
import { present } from '../../../schema/values/index.ts';
import { createUsage } from '../../usage/index.ts';
import type { Agent, AgentOptions } from '../agent.ts';
import { createCredentialSource } from '../../config/index.ts';
import type { NodeSpec } from '../specs.ts';
import { configurationReader, startOf, type AgentSettings, type Configured, type GivenSettings } from './configuration.ts';
import { certificateKeeper, isGood } from './certificates.ts';
import { NOTHING_SAID } from './container-introspection.ts';
import { diskOf, createRegistry, imageGarbage } from './images/store.ts';
import { evictionPart } from './eviction/manager.ts';
import { dynamicConfig } from './dynamic-config.ts';
import type { Checkpoints, Machine } from './machine.ts';
import { capacities } from './node-object.ts';
import type { PodRunnerOptions, SourcesPart } from './node-context.ts';
import { podRunner } from './pod-runner.ts';
import { nodeRegistration } from './registration.ts';
import { runOnce } from './shutdown.ts';
import { coresOf } from './cores/admit.ts';

const readerOf = ({ start = {}, featureGates = {}, nodeLeaseDurationSeconds }: AgentOptions): ((spec: NodeSpec) => Configured) =>
  configurationReader(start, { clusterGates: featureGates, leaseSeconds: nodeLeaseDurationSeconds });

function started(spec: NodeSpec, { start = {} }: AgentOptions): Pick<ProcessSpec, 'start'> {
  if (spec.agent === undefined && spec.agentFlags === undefined && start.config === undefined && (start.flags ?? []).length === 0)
    return {};
  return { start: startOf(spec, start) };
}

/** `restates`: the agent replaces one with another configuration. */
function processOf(
  machineSpec: NodeSpec,
  { settings, gates, refusal }: Configured,
  options: AgentOptions,
  restates = false,
  runs?: Checkpoints['active'],
): ProcessSpec {
  const { world, podBehaviors, storageDrivers, podEvents, images = [], usage, startAt = 0 } = options;
  const { name } = machineSpec;
  const machine = world.machine(name);
  const { nodeName = name } = settings;
  machine.inhibits = settings.shutdown !== undefined;
  if (settings.cpuCFSQuota) world.unthrottled.delete(nodeName);
  else world.unthrottled.add(nodeName);
  const registry = images.length === 0 ? undefined : (world.shared.registry ??= createRegistry(images, startAt));
  const disk = (now: number) => diskOf(machineSpec, machine.images, now);
  const used = usage === undefined ? undefined : (world.shared.usage ??= createUsage(usage, startAt));
  const evicts = used === undefined ? undefined : evictionPart({ usage: used, spec: machineSpec, nodeName, machine, settings });
  if (evicts !== undefined) machine.leftAt = evicts.leftAt;
  const spec = nodeName === name ? machineSpec : { ...machineSpec, name: nodeName };
  const certificates = certificatesOf(machineSpec, machine, settings, options);
  const registration = nodeRegistration({
    machine,
    spec,
    settings,
    // A restored node has the CSINode that its dump has.
    storageDrivers: spec.restored === undefined ? storageDrivers : [],
    restates,
    renewsEach: certificates.credential.elector !== undefined,
    ...(evicts === undefined ? {} : { pressures: evicts.pressures }),
  });
  // An agent that runs once, or has no API server, does not report its node.
  const isAsked = settings.alone === undefined && !settings.runOnce;
  return {
    name: `agent/${name}`,
    ...(nodeName === name ? {} : { node: nodeName }),
    ...started(machineSpec, options),
    ...present({ gates, refusal, ...limits(settings, registration) }),
    ...(isAsked ? certificates.credential : {}),
    controllers: [
      ...(isAsked ? [registration] : []),
      podRunner({
        nodeName,
        machine,
        behaviors: podBehaviors,
        recordsEvents: podEvents === true,
        world,
        processName: `agent/${name}`,
        settings,
        given: givenOn(spec, settings),
        cores: coresOf(spec, settings),
        allocatable: () => capacities(spec, settings).allocatable,
        registry,
        ...credentials(nodeName, settings, options),
        evicts: settings.alone === undefined ? evicts : undefined,
        drivers: storageDrivers,
        handlers: spec.runtimeHandlers,
        sources: sourcesOf(name, settings, options),
      }),
      ...(machine.images === undefined ? [] : [imageGarbage({ nodeName, images: machine.images, settings, disk })]),
      ...(settings.runOnce ? [runOnce(machine, nodeName)] : []),
      ...(settings.followsSource && isAsked ? [dynamicConfig(nodeName, machine, runs)] : []),
      ...(isAsked ? certificates.controllers : []),
    ],
  };
}

/**
 * How the agent gets certificates, and how the server authenticates it. An agent without a certificate configuration is always
 * authenticated.
 */
function certificatesOf(
  { name, clientCertificateMs }: NodeSpec,
  { certificates: folder }: Machine,
  { bootstraps, rotateCertificates: rotates, serverTLSBootstrap }: AgentSettings,
  { certificateSigners: signers = [], startAt = 0 }: AgentOptions,
): { readonly credential: Pick<ProcessSpec, 'elector' | 'isAuthenticated'>; readonly controllers: readonly Controller[] } {
  if (clientCertificateMs !== undefined) folder.client ??= { from: startAt, until: startAt + clientCertificateMs };
  const shared = { machine: name, folder, signers, startAt };
  const hasClient = bootstraps || clientCertificateMs !== undefined;
  return {
    credential: hasClient
      ? {
          elector: certificateKeeper({ ...shared, usage: 'client', mayBootstrap: bootstraps, rotates, opens: true }),
          isAuthenticated: (now) => isGood(folder.client, now),
        }
      : {},
    controllers: serverTLSBootstrap
      ? [certificateKeeper({ ...shared, usage: 'serving', mayBootstrap: true, rotates: true, opens: false })]
      : [],
  };
}

/** A rate of 0 means no limit; a burst of 0 means the client's default. Models: v1.24 client-go rest DefaultBurst. */
const rateOf = (qps: number, burst: number): RequestRate | undefined => (qps <= 0 ? undefined : { qps, burst: burst > 0 ? burst : 10 });

/** The rate limits of its client; reports about its node use a client without limits, like upstream's heartbeats. */
function limits({ orchAPIQPS, orchAPIBurst, eventRecordQPS, eventBurst }: AgentSettings, registration: Controller) {
  const requestRate = rateOf(orchAPIQPS, orchAPIBurst);
  return { requestRate, unlimited: requestRate && registration, eventRate: rateOf(eventRecordQPS, eventBurst) };
}

const givenOn = ({ resolvers }: NodeSpec, { given, expandsNames }: AgentSettings): GivenSettings | undefined =>
  resolvers === undefined && !expandsNames
    ? given
    : {
        ...(given ?? NOTHING_SAID),
        ...(resolvers === undefined ? {} : { resolvers }),
        ...(expandsNames ? { expanded: true } : {}),
      };

function sourcesOf(machineName: string, settings: AgentSettings, { podSources = [], startAt = 0 }: AgentOptions): SourcesPart | undefined {
  const { staticPodPath, staticPodURL, enableServer, alone, runOnce: once } = settings;
  const isReported = enableServer && podSources.some(({ submitted }) => submitted === true);
  return staticPodPath === '' && staticPodURL === '' && !isReported && alone === undefined && !once
    ? undefined
    : { sources: podSources, settings, machineName, startAt };
}

function credentials(
  nodeName: string,
  { asksProviders }: AgentSettings,
  { credentialsFor, credentialProviders = [], world }: AgentOptions,
): Pick<PodRunnerOptions, 'credentialsFor' | 'onStart' | 'remembers'> {
  if (!asksProviders || credentialProviders.length === 0) return { credentialsFor };
  const source = (world.shared.credentials ??= createCredentialSource(credentialProviders));
  return { credentialsFor: source.credentialsFor, onStart: () => source.forget(nodeName), remembers: () => source.describe(nodeName) };
}

/**
 * The process of a node's agent; `restates`: it replaces one with another configuration. With dynamic configuration each start uses the
 * configuration that was assigned meanwhile instead of the file; flags override it too.
 */
export function nodeAgent(spec: NodeSpec, options: AgentOptions, restates?: boolean, read = readerOf(options)): ProcessSpec {
  const configured = read(spec);
  const process = processOf(spec, configured, options, restates);
  if (!configured.settings.followsSource) return process;
  const machine = options.world.machine(spec.name);
  const anew = (): ProcessSpec | undefined => {
    if (machine.checkpoints === undefined) return undefined;
    const { active } = machine.checkpoints;
    const assigned = active === undefined ? spec : { ...spec, agent: active };
    return { ...processOf(assigned, read(assigned), options, true, active), anew };
  };
  return { ...process, anew };
}

export const nodeAgents: Agent = {
  name: 'node',
  processes(nodes, options) {
    const read = readerOf(options);
    return nodes.map((node) => nodeAgent(node, options, undefined, read));
  },
};
export { POD_EVENTS } from './pod-report.ts';
export { SHUTDOWN_KEY } from './shutdown.ts';
