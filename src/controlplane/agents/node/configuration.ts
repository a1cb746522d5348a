/**
 * The settings of a simulated agent, from its file and flags. A node's own file replaces that of all nodes, its own flags come after
 * theirs, and flags override the file. Models: v1.24 cmd/kubelet/app/server.go.
 */
import { memo } from '../../../engine/index.ts';
import { type AgentConfiguration, parseAgentConfig } from '../../config/index.ts';
import { resolveGates, type FeatureGates } from '../../../apiserver/machinery/index.ts';
import { isValidIp, milliUnitsOf, parseGoDuration, present } from '../../../schema/values/index.ts';
import type { AgentStart, NodeSpec } from '../specs.ts';
import { reservations, reservedOf, type Reserved } from './allocatable.ts';

export interface GivenSettings {
  /** Resolver files may have more domains: the gate ExpandedDNSConfig. */
  readonly expanded?: true;
  /** Servers and domain of cluster DNS, and the node's resolver file; an empty path: no DNS. */
  readonly dns: { readonly servers: readonly string[]; readonly domain: string; readonly file: string };
  /** The limit of processes of a pod; absent: none. */
  readonly pidsLimit?: number;
  /** Resolver files of the machine, by path. */
  readonly resolvers?: NodeSpec['resolvers'];
}

/** The effective configuration, and what follows from flags, gates, and whether a value is a default. */
export interface AgentSettings extends AgentConfiguration {
  /** The name of the node, where it differs from that of the machine. */
  readonly nodeName?: string;
  /** In addition to those of the node itself. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Absent: by the capacity of its node. */
  readonly statedMaxPods?: number;
  readonly reserved: Reserved;
  /** Absent: the defaults of names and processes. */
  readonly given?: GivenSettings;
  /** How long it holds a shutdown of its machine up, and how much of that is for critical pods; absent: not at all. */
  readonly shutdown?: { readonly totalMs: number; readonly criticalMs: number };
  /** The agent has no API server: it runs the pods of its files, with addresses of this range; an empty one: the cluster's. */
  readonly alone?: { readonly podCIDR: string };
  /** The component that attaches the node's volumes; absent: not configured, so the controller. */
  readonly attaches?: 'controller' | 'agent';
  /** Its flags name the configuration and the folder of credential providers, and the gate is on. */
  readonly asksProviders: boolean;
  /** The configSource of its Node replaces its file. */
  readonly followsSource: boolean;
  /** With a bootstrap configuration it requests its first client certificate, and another one after expiry. */
  readonly bootstraps: boolean;
  /** Resolver files may have more domains: the gate ExpandedDNSConfig. */
  readonly expandsNames: boolean;
  /** Ephemeral storage is a resource of the node, with limits. */
  readonly isolatesStorage: boolean;
}

/** Of a duration as Go writes it; 0 for an invalid one. */
export const milliseconds = (duration: string): number => Number((parseGoDuration(duration).value ?? 0n) / 1_000_000n);

export interface Configured {
  readonly settings: AgentSettings;
  /** Gates of this agent; absent: those of the cluster. */
  readonly gates?: FeatureGates;
  readonly refusal?: string;
}

export const startOf = (spec: NodeSpec, ofAll: AgentStart): AgentStart => ({
  ...(spec.agent === undefined ? (ofAll.config === undefined ? {} : { config: ofAll.config }) : { config: spec.agent }),
  flags: [...(ofAll.flags ?? []), ...(spec.agentFlags ?? [])],
});

interface ReaderOptions {
  readonly clusterGates: Readonly<Record<string, boolean>>;
  /** The duration of node leases of agents without configuration, seconds. */
  readonly leaseSeconds: number;
}

type Parsed = ReturnType<typeof parseAgentConfig>;
const unconfigured = memo<{ parsed: Parsed | undefined }>({ parsed: undefined });

export function defaultSettings({ clusterGates, leaseSeconds }: ReaderOptions): AgentSettings {
  const parsed = (unconfigured.parsed ??= parseAgentConfig(undefined, { fragment: true }));
  return { ...settingsOf(parsed, resolveGates(clusterGates).gates), nodeLeaseDurationSeconds: leaseSeconds };
}

function configured({ config, flags = [] }: AgentStart, options: ReaderOptions): Configured {
  if (config === undefined && flags.length === 0) return { settings: defaultSettings(options) };
  const { clusterGates } = options;
  const parsed = parseAgentConfig(config, { fragment: true, flags, gates: clusterGates });
  const { config: is, errors } = parsed;
  const refusal =
    errors.length > 0
      ? errors.map(({ message }) => message).join('; ')
      : is.cpuManagerPolicy === 'static' && reservedOf(is, 'cpu').every((amount) => milliUnitsOf(amount) === 0)
        ? NOTHING_RESERVED
        : undefined;
  if (refusal !== undefined) return { settings: defaultSettings(options), refusal };
  const { gates } = resolveGates({ ...clusterGates, ...is.featureGates });
  const settings = settingsOf(parsed, gates);
  return is.featureGates === undefined ? { settings } : { settings, gates };
}

/** Upstream reports this later, when it creates its CPU manager. */
const NOTHING_RESERVED =
  'failed to initialize cpu manager: the static policy requires systemReserved.cpu (--system-reserved) + orchReserved.cpu (--orch-reserved) to be greater than zero';

function settingsOf({ config: is, values }: Parsed, gates: FeatureGates): AgentSettings {
  const isSet = (path: string): boolean => values.some((value) => value.path === path && value.source !== 'default');
  const flagged = (name: string): unknown => values.find(({ path, source }) => path === `--${name}` && source === 'flag')?.value;
  const text = (name: string): string => String(flagged(name) ?? '');
  // Models: v1.24 pkg/util/node GetHostname (an override is converted to lower case).
  const nodeName = text('hostname-override').trim().toLowerCase();
  const totalMs = milliseconds(is.shutdownGracePeriod);
  // Both flags are needed: the configuration, and the folder of the plug-ins.
  const linksProviders = text('image-credential-provider-config') !== '' && text('image-credential-provider-bin-dir') !== '';
  return {
    ...is,
    reserved: reservations(is, flagged('experimental-allocatable-ignore-eviction') !== true),
    asksProviders: linksProviders && gates['AgentCredentialProviders'] === true,
    followsSource: text('dynamic-config-dir') !== '',
    bootstraps: text('bootstrap-orchconfig') !== '',
    isolatesStorage: gates['LocalStorageCapacityIsolation'] === true,
    expandsNames: gates['ExpandedDNSConfig'] === true,
    ...present({
      nodeName: nodeName === '' ? undefined : nodeName,
      labels: flagged('node-labels') as AgentSettings['labels'],
      statedMaxPods: isSet('maxPods') ? is.maxPods : undefined,
      alone: flagged('orchconfig') === '' ? { podCIDR: is.podCIDR } : undefined,
      attaches: isSet('enableControllerAttachDetach') ? attacherOf(is) : undefined,
      shutdown: totalMs > 0 ? { totalMs, criticalMs: milliseconds(is.shutdownGracePeriodCriticalPods) } : undefined,
      given: ['clusterDNS', 'clusterDomain', 'resolvConf', 'podPidsLimit'].some(isSet) ? givenSettings(is) : undefined,
    }),
  };
}

const attacherOf = ({ enableControllerAttachDetach }: AgentConfiguration): AgentSettings['attaches'] =>
  enableControllerAttachDetach ? 'controller' : 'agent';

/** Settings of DNS and limits of pods. Models: v1.24 cmd/kubelet/app (invalid addresses are left out). */
function givenSettings({ clusterDNS = [], clusterDomain: domain, resolvConf: file, podPidsLimit }: AgentConfiguration): GivenSettings {
  const servers = clusterDNS.filter((address) => isValidIp(address).length === 0);
  return { dns: { servers, domain, file }, ...(podPidsLimit > 0 ? { pidsLimit: podPidsLimit } : {}) };
}

/** The same for many nodes, which mostly share their start objects: each is parsed once. */
export function configurationReader(ofAll: AgentStart, options: ReaderOptions): (spec: NodeSpec) => Configured {
  const known: { readonly agent: unknown; readonly flags: unknown; readonly is: Configured }[] = [];
  return (spec) => {
    const found = known.find(({ agent, flags }) => agent === spec.agent && flags === spec.agentFlags);
    if (found !== undefined) return found.is;
    const is = configured(startOf(spec, ofAll), options);
    if (known.length < 100) known.push({ agent: spec.agent, flags: spec.agentFlags, is });
    return is;
  };
}
