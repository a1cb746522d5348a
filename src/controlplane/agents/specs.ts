/**
 * What the world outside the control plane consists of: nodes, what their containers do, storage drivers. Plain data; durations in
 * milliseconds.
 */
import type { RequestRate } from '../runtime/index.ts';

export type { StorageDriver, StorageSegment } from './storage-specs.ts';

/** How an agent is started: the settings of its file, if it has one, and its flags. */
export interface AgentStart {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly flags?: readonly string[];
}

/** What a simulated agent obeys of its file and flags; durations in milliseconds. */
export interface AgentSettings {
  readonly leaseDurationSeconds: number;
  /** It compares its status with what the server says so often, and posts an unchanged one so often. */
  readonly statusUpdateMs: number;
  readonly statusReportMs: number;
  readonly registerNode: boolean;
  /** Its flags name the configuration and the folder of credential providers, and its gate lets it ask them. */
  readonly asksProviders?: true;
  /** Of its server, as its node states it. */
  readonly port: number;
  /** How many pods its node states to have room for; absent: what its capacity says. */
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  /** Besides those of the node itself. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: NodeSpec['taints'];
  /** What the node is called in place of the name of its machine. */
  readonly nodeName?: string;
  readonly providerID?: string;
  /** What pods cannot have of the node's capacity: quantities by resource, or shares of it (`10%`); their sum. */
  readonly reserved?: readonly (readonly [resource: string, amount: string])[];
  readonly images: ImageSettings;
  readonly eviction: EvictionSettings;
  readonly sources: PodSourceSettings;
  /** Absent: nobody has anything for himself. */
  readonly cores?: CoreSettings;
  /** Absent: nothing is said of certificates. */
  readonly certificates?: CertificateSettings;
  /** Of its requests and of its events, where anything is said of them: nothing holds back what is not limited. */
  readonly requestRate?: RequestRate;
  readonly eventRate?: RequestRate;
  /** Absent: nobody has said anything of names or processes. */
  readonly given?: GivenSettings;
  /** How long it holds a shutdown of its machine up, and how much of that is for critical pods; absent: not at all. */
  readonly shutdown?: { readonly totalMs: number; readonly criticalMs: number };
  /** How long it waits for its runtime to create containers. */
  readonly runtimeTimeoutMs: number;
  /** A pod is looked at anew after so long at most. */
  readonly syncMs: number;
  /** It has no API server: it runs what its files say, with addresses of this range; an empty one: the cluster's own. */
  readonly alone?: { readonly podCIDR: string };
  /** It begins the pods that there are and ends. */
  readonly runsOnce?: true;
  /** Who brings volumes to the node and takes them away; absent: nobody has said, so the controller. */
  readonly attaches?: 'controller' | 'agent';
  /** It follows the source of its configuration that its Node names. */
  readonly followsSource?: true;
  /** Resolver files hold more domains: the gate ExpandedDNSConfig. */
  readonly expandsNames: boolean;
  /** Containers get no more of processors than their limits say. */
  readonly throttles: boolean;
  /** The disk is a resource of the node: it is stated, and what containers write is limited. */
  readonly isolatesStorage: boolean;
  /** Kernel parameters that pods may set besides safe ones; those that end in `*` stand for all that begin so. */
  readonly allowedSysctls: readonly string[];
}

/** Who signs what agents ask for; of several that would, the one that answers first. Times count from the start of the run. */
export interface CertificateSigner {
  /** Absent: both. */
  readonly signs?: 'client' | 'serving';
  /** The machines whose requests it answers; absent: all. */
  readonly nodes?: readonly string[];
  /** From request, or from when it is there, to answer. */
  readonly delayMs: number;
  /** How long its certificates are good; absent: a year. */
  readonly lastsMs?: number;
  readonly denies?: boolean;
  /** It is there from then on, and until then. */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

/** How an agent comes by its certificates. */
export interface CertificateSettings {
  /** With a bootstrap configuration it asks for its first client certificate, and for another when that ran out. */
  readonly bootstraps: boolean;
  /** It asks for the next client certificate in good time. */
  readonly rotates: boolean;
  /** Its server has a certificate that was signed for it, or none. */
  readonly serving: boolean;
}

/** What pods are given besides what they ask for. */
export interface GivenSettings {
  /** Resolver files hold more domains: the gate ExpandedDNSConfig. */
  readonly expanded?: true;
  /** Servers and domain of the cluster's names, and the node's own resolver file; an empty one: no look-ups. */
  readonly dns: { readonly servers: readonly string[]; readonly domain: string; readonly file: string };
  /** How many processes a pod may have; absent: the current count. */
  readonly pidsLimit?: number;
  /** Resolver files of the machine by path. */
  readonly resolvers?: NodeSpec['resolvers'];
}

/** What containers of Guaranteed pods get for themselves. */
export interface CoreSettings {
  /** Whole processors, under the static policy; memory of certain NUMA nodes, under the Static policy. */
  readonly cpus: boolean;
  readonly memory: boolean;
  readonly topology: 'none' | 'best-effort' | 'restricted' | 'single-numa-node';
  readonly scope: 'container' | 'pod';
  /** Whole cores only, where a core has several processors. */
  readonly fullCoresOnly: boolean;
  /** In equal parts of several NUMA nodes where one has not enough. */
  readonly distributes: boolean;
  /** What is kept back: thousandths of a core, and quantities of memory. */
  readonly reservedMilliCpu: number;
  readonly reservedMemory: readonly string[];
}

/** Where an agent gets pods besides the API server, and how often it looks there; an empty path or URL: nowhere. */
export interface PodSourceSettings {
  readonly path: string;
  readonly fileMs: number;
  readonly url: string;
  readonly httpMs: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Its own server takes pods that somebody submits. */
  readonly listens: boolean;
}

/** A pod in a file of a machine, behind an endpoint, or submitted to the servers of agents. Times count from the start of the run. */
export interface PodSource {
  readonly path?: string;
  readonly url?: string;
  /** Somebody submits it, and withdraws it: an agent that does not listen then never hears of it. */
  readonly submitted?: boolean;
  /** The endpoint answers to those who send these alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Machines that have the file, or reach the endpoint; absent: all. */
  readonly nodes?: readonly string[];
  readonly fromMs?: number;
  readonly untilMs?: number;
  readonly pod: Readonly<Record<string, unknown>>;
}

/** When an agent puts pods out. Amounts are quantities, or shares of the capacity, by signal (`memory.available`). */
export interface EvictionSettings {
  readonly hard: Readonly<Record<string, string>>;
  readonly soft: Readonly<Record<string, string>>;
  readonly softGraceMs: Readonly<Record<string, number>>;
  readonly minReclaim: Readonly<Record<string, string>>;
  /** How long a condition outlasts what called for it. */
  readonly transitionMs: number;
  /** What a pod gets at most at a soft threshold; negative: what it asks for. */
  readonly maxPodGraceSeconds: number;
  /** The memory that pods may have together is a threshold too, of the capacity without what is reserved. */
  readonly enforcesPods: boolean;
  /** Memory reserved for system and agent, quantities. */
  readonly reservedMemory: readonly string[];
}

/** How an agent gets images, reports them and clears them away. */
export interface ImageSettings {
  /** Pulls a second, and how many at once; 0 a second: no limit. */
  readonly qps: number;
  readonly burst: number;
  /** One pull at a time. */
  readonly serial: boolean;
  /** So many images are stated at most; -1: all. */
  readonly mostReported: number;
  /** Images are cleared away when the disk is as full as this, until it is as full as that, in percent; none that is younger. */
  readonly gcHighPercent: number;
  readonly gcLowPercent: number;
  readonly gcMinAgeMs: number;
}

export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** An image as its registry has it. Times count from the start of the run. */
export interface ImageSpec {
  readonly name: string;
  readonly sizeBytes: number;
  /** How long a pull takes where nothing of it is there. */
  readonly pullMs: number;
  readonly missing?: boolean;
  /** It is in the registry from then on, and until then. */
  readonly fromMs?: number;
  readonly untilMs?: number;
  /** Who may pull it: everybody, whoever has credentials for it, whoever has these. */
  readonly access?: 'public' | 'private' | Credential;
  /** Nodes that have it from the start, by the names of their machines. */
  readonly nodes?: readonly string[];
}

/**
 * What is known on a node to log in to an image's registry, asked once for each pull. `delayMs`: how long it takes to find out, before the
 * pull begins. A pull of a private image without the right credentials fails with the registry's refusal.
 */
export type CredentialsFor = (
  image: string,
  node: string,
  at: number,
) => { readonly credentials: readonly Credential[]; readonly delayMs?: number };

export interface NodeSpec {
  readonly name: string;
  /** Its agent's file, in place of the one of all agents. */
  readonly agent?: Readonly<Record<string, unknown>>;
  /** Its agent's flags, after those of all agents. */
  readonly agentFlags?: readonly string[];
  /** Quantities by resource. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** What its container runtime is configured for, by RuntimeClass.handler; absent: everything. */
  readonly runtimeHandlers?: readonly string[];
  /** How long the client certificate is good that it has from the start of the run; absent: it has none, or one that nobody speaks of. */
  readonly clientCertificateMs?: number;
  /** Where its processors and its memory are; absent: in one place. */
  readonly numa?: readonly { readonly cpus: number; readonly memory: string }[];
  /** How many processors a core has; absent: one. */
  readonly threadsPerCore?: number;
  /** Its resolver files, text by path; absent: any there may be, all empty. */
  readonly resolvers?: Readonly<Record<string, string>>;
  /** The range that its pods get their addresses from; absent: the cluster's own. */
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

/** What the containers of matching pods do. Absent members are the node agent's defaults; annotations on a pod override. */
export interface PodBehavior {
  readonly selector?: BehaviorSelector;
  readonly namespace?: string;
  readonly startDelayMs?: number;
  readonly readyDelayMs?: number;
  /** Absent: runs for ever. */
  readonly runForMs?: number;
  /** By attempt; the last repeats. */
  readonly exitCodes?: readonly number[];
  readonly exitCodesByIndex?: Readonly<Record<string, readonly number[]>>;
  readonly terminationDelayMs?: number;
  readonly terminationExitCode?: number;
}
