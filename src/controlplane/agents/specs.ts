/** The world outside the control plane: nodes, the behaviour of containers, storage drivers. Plain data; durations in milliseconds. */
import type { RequestRate } from '../runtime/index.ts';
import type { PodSelection } from '../shared/index.ts';

export type { StorageDriver, StorageSegment } from './storage-specs.ts';

/** The start configuration of an agent: the settings of its file, if it has one, and its flags. */
export interface AgentStart {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly flags?: readonly string[];
}

/** The settings of a simulated agent, from file and flags; durations in milliseconds. */
export interface AgentSettings {
  readonly leaseDurationSeconds: number;
  /** The periods of computing the status, and of writing an unchanged one. */
  readonly statusUpdateMs: number;
  readonly statusReportMs: number;
  readonly registerNode: boolean;
  /** Its flags name the configuration and the folder of credential providers, and the gate is on. */
  readonly asksProviders?: true;
  /** The port of its server, in the status of its node. */
  readonly port: number;
  /** The maximum pod capacity of its node; absent: by its capacity. */
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  /** In addition to those of the node itself. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: NodeSpec['taints'];
  /** The name of the node, where it differs from that of the machine. */
  readonly nodeName?: string;
  readonly providerID?: string;
  /** The part of the capacity that is not allocatable: quantities by resource, or percentages (`10%`); they add up. */
  readonly reserved?: readonly (readonly [resource: string, amount: string])[];
  readonly images: ImageSettings;
  readonly eviction: EvictionSettings;
  readonly sources: PodSourceSettings;
  /** Absent: no exclusive CPUs or memory. */
  readonly cores?: CoreSettings;
  /** Absent: certificates are not simulated. */
  readonly certificates?: CertificateSettings;
  /** Limits on its requests and events; absent: no limit. */
  readonly requestRate?: RequestRate;
  readonly eventRate?: RequestRate;
  /** Absent: the defaults of names and processes. */
  readonly given?: GivenSettings;
  /** How long it holds a shutdown of its machine up, and how much of that is for critical pods; absent: not at all. */
  readonly shutdown?: { readonly totalMs: number; readonly criticalMs: number };
  /** How long it waits for its runtime to create containers. */
  readonly runtimeTimeoutMs: number;
  /** Every pod is synced after at most this time: only then is a mark of another client noticed. */
  readonly syncMs: number;
  /** The agent has no API server: it runs the pods of its files, with addresses of this range; an empty one: the cluster's. */
  readonly alone?: { readonly podCIDR: string };
  /** The agent starts its pods and exits. */
  readonly runsOnce?: true;
  /** The component that attaches the node's volumes; absent: not configured, so the controller. */
  readonly attaches?: 'controller' | 'agent';
  readonly followsSource?: true;
  /** Resolver files may have more domains: the gate ExpandedDNSConfig. */
  readonly expandsNames: boolean;
  /** CPU limits of containers are enforced. */
  readonly throttles: boolean;
  /** Ephemeral storage is a resource of the node, with limits. */
  readonly isolatesStorage: boolean;
  /** Allowed sysctls besides the safe ones; `*` at the end makes a prefix. */
  readonly allowedSysctls: readonly string[];
}

/** A signer of agents' certificates; of several, the one that responds first counts. Times count from the start of the run. */
export interface CertificateSigner {
  /** Absent: both. */
  readonly signs?: 'client' | 'serving';
  /** The machines whose requests it signs; absent: all. */
  readonly nodes?: readonly string[];
  /** From the request, or from the signer's start, to the response. */
  readonly delayMs: number;
  /** The validity of its certificates; absent: a year. */
  readonly lastsMs?: number;
  readonly denies?: boolean;
  /** The signer is active from then on, and until then. */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

export interface CertificateSettings {
  /** With a bootstrap configuration it requests its first client certificate, and another one after expiry. */
  readonly bootstraps: boolean;
  /** It renews the client certificate in time. */
  readonly rotates: boolean;
  /** Its server has a signed certificate, or none. */
  readonly serving: boolean;
}

export interface GivenSettings {
  /** Resolver files may have more domains: the gate ExpandedDNSConfig. */
  readonly expanded?: true;
  /** Servers and domain of cluster DNS, and the node's resolver file; an empty path: no DNS. */
  readonly dns: { readonly servers: readonly string[]; readonly domain: string; readonly file: string };
  /** The limit of processes of a pod; absent: none. */
  readonly pidsLimit?: number;
  /** Resolver files of the machine by path. */
  readonly resolvers?: NodeSpec['resolvers'];
}

export interface CoreSettings {
  /** Exclusive CPUs, under the static policy; memory of certain NUMA nodes, under the Static policy. */
  readonly cpus: boolean;
  readonly memory: boolean;
  readonly topology: 'none' | 'best-effort' | 'restricted' | 'single-numa-node';
  readonly scope: 'container' | 'pod';
  /** Whole cores only, where a core has several CPUs. */
  readonly fullCoresOnly: boolean;
  /** In equal parts of several NUMA nodes, where one is not enough. */
  readonly distributes: boolean;
  /** Reservations: thousandths of a core, and quantities of memory. */
  readonly reservedMilliCpu: number;
  readonly reservedMemory: readonly string[];
}

/** Sources of static pods, and how often they are read; an empty path or URL: none. */
export interface PodSourceSettings {
  readonly path: string;
  readonly fileMs: number;
  readonly url: string;
  readonly httpMs: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Its server accepts submitted pods. */
  readonly listens: boolean;
}

/** A static pod in a file of a machine, behind a URL, or submitted to the agents' servers. Times count from the start of the run. */
export interface PodSource {
  readonly path?: string;
  readonly url?: string;
  /** It is submitted and withdrawn: an agent that does not listen at that time never gets it. */
  readonly submitted?: boolean;
  /** The URL answers only requests with these headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Machines that have the file, or reach the URL; absent: all. */
  readonly nodes?: readonly string[];
  readonly fromMs?: number;
  readonly untilMs?: number;
  readonly pod: Readonly<Record<string, unknown>>;
}

/** The settings of evictions. Amounts are quantities, or percentages of the capacity, by signal (`memory.available`). */
export interface EvictionSettings {
  readonly hard: Readonly<Record<string, string>>;
  readonly soft: Readonly<Record<string, string>>;
  readonly softGraceMs: Readonly<Record<string, number>>;
  readonly minReclaim: Readonly<Record<string, string>>;
  /** How long a condition remains after its threshold is no longer met. */
  readonly transitionMs: number;
  /** The longest grace period of a pod at a soft threshold; negative: the pod's own. */
  readonly maxPodGraceSeconds: number;
  /** Allocatable memory is a threshold too. */
  readonly enforcesPods: boolean;
  /** Memory reserved for system and agent, quantities. */
  readonly reservedMemory: readonly string[];
}

/** The settings of pulls, reports and garbage collection of images. */
export interface ImageSettings {
  /** Pulls per second, and their burst; 0 per second: no limit. */
  readonly qps: number;
  readonly burst: number;
  /** One pull at a time. */
  readonly serial: boolean;
  /** The maximum number of reported images; -1: all. */
  readonly mostReported: number;
  /** Disk usage in percent at which garbage collection of images starts and ends, and the minimum age of a removed image. */
  readonly gcHighPercent: number;
  readonly gcLowPercent: number;
  readonly gcMinAgeMs: number;
}

export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** An image in the registry. Times count from the start of the run. */
export interface ImageSpec {
  readonly name: string;
  readonly sizeBytes: number;
  /** The duration of a pull without any layer present. */
  readonly pullMs: number;
  readonly missing?: boolean;
  /** The image is in the registry from then on, and until then. */
  readonly fromMs?: number;
  readonly untilMs?: number;
  /** Who may pull it: every client, every client with credentials for it, clients with these credentials. */
  readonly access?: 'public' | 'private' | Credential;
  /** Nodes that have it from the start, by the names of their machines. */
  readonly nodes?: readonly string[];
}

/**
 * The credentials of a node for an image's registry, read once for each pull. `delayMs`: the time that takes, before the pull starts. A
 * pull of a private image without valid credentials fails with the registry's error.
 */
export type CredentialsFor = (
  image: string,
  node: string,
  at: number,
) => { readonly credentials: readonly Credential[]; readonly delayMs?: number };

export interface NodeSpec {
  readonly name: string;
  /** Its agent's file, instead of that of all agents. */
  readonly agent?: Readonly<Record<string, unknown>>;
  /** Its agent's flags, after those of all agents. */
  readonly agentFlags?: readonly string[];
  /** Its Node is that of another cluster, and stays as it was reported; `down`: its agent was silent there, and does not start. */
  readonly restored?: 'up' | 'down';
  /** Quantities by resource. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** The handlers of its container runtime, by RuntimeClass.handler; absent: every handler. */
  readonly runtimeHandlers?: readonly string[];
  /** The validity of the client certificate that it has at the start of the run; absent: none, or certificates are not simulated. */
  readonly clientCertificateMs?: number;
  /** Its NUMA nodes; absent: one. */
  readonly numa?: readonly { readonly cpus: number; readonly memory: string }[];
  /** The number of CPUs per core; absent: one. */
  readonly threadsPerCore?: number;
  /** Its resolver files, text by path; absent: every path exists, with an empty file. */
  readonly resolvers?: Readonly<Record<string, string>>;
  /** The address range of its pods; absent: the cluster's. */
  readonly podCIDR?: string;
  readonly taints?: readonly {
    readonly key: string;
    readonly value?: string;
    readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  }[];
}

export interface BehaviorSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/** A line of a log: a text, which is printed at the start, or when another one is printed. */
export type LogSpec =
  | string
  | {
      readonly line: string;
      /** The container that prints it; absent: the first of the pod. */
      readonly container?: string;
      /** Absent: at the start, or as `atMs` and `everyMs` say. */
      readonly when?: 'start' | 'ready' | 'termination' | 'exit' | 'success' | 'failure';
      /** Since the start. */
      readonly atMs?: number;
      /** Again and again; the first time after one period, unless `atMs` says otherwise. */
      readonly everyMs?: number;
    };

/** The behaviour of matching pods' containers. Absent fields have the node agent's defaults; annotations on a pod take precedence. */
export interface PodBehavior extends PodSelection {
  readonly selector?: BehaviorSelector;
  /** Where the scheduler puts them, in the order of their bindings; each as long as the node passes every filter. */
  readonly nodes?: readonly string[];
  readonly startDelayMs?: number;
  readonly readyDelayMs?: number;
  /** Absent: containers do not exit by themselves. */
  readonly runForMs?: number;
  /** By attempt; the last one repeats. */
  readonly exitCodes?: readonly number[];
  readonly exitCodesByIndex?: Readonly<Record<string, readonly number[]>>;
  readonly terminationDelayMs?: number;
  readonly terminationExitCode?: number;
  /** What its containers print; absent: what they do, in words. */
  readonly log?: readonly LogSpec[];
}
