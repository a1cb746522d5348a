/** The world outside the control plane: nodes, the behaviour of containers, storage drivers. Plain data; durations in milliseconds. */
import type { CSIDriver, Node, ObjectByKind } from '../../apiserver/kinds/index.ts';
import type { PodSelection } from '../shared/index.ts';

type StorageClass = ObjectByKind['StorageClass'];

/** The start configuration of an agent: the settings of its file, if it has one, and its flags. */
export interface AgentStart {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly flags?: readonly string[];
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
  readonly taints?: Node['spec']['taints'];
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

type ClassFields = 'volumeBindingMode' | 'reclaimPolicy' | 'allowVolumeExpansion' | 'parameters' | 'mountOptions';
interface StorageClassSpec extends Partial<Pick<StorageClass, ClassFields>> {
  readonly name: string;
  readonly isDefault?: boolean;
}

export interface StorageSegment {
  /** The labels of the nodes that have access to it; empty: all nodes. */
  readonly topology: Readonly<Record<string, string>>;
  readonly size: string;
  /** The largest volume; absent: the remaining capacity. */
  readonly maximumVolumeSize?: string;
}

export interface StorageDriver {
  readonly name: string;
  readonly attachDelayMs: number;
  readonly detachDelayMs: number;
  readonly provisionDelayMs: number;
  /** The number of failures before the first success, per volume. */
  readonly failures?: { readonly attach?: number; readonly detach?: number; readonly provision?: number };
  /** false: the CSIDriver object says that its volumes need no attachment. */
  readonly attachRequired?: boolean;
  /** The allocatable count in its CSINode entries. */
  readonly volumesPerNode?: number;
  /** The node labels of its topology, as in its CSINode entries. */
  readonly topologyKeys?: readonly string[];
  /** The mount options that it supports; absent: all. */
  readonly mountOptions?: readonly string[];
  /** The parameters of classes that it supports; absent: all. */
  readonly parameters?: readonly string[];
  /** The duration of an expansion; absent: volumes cannot be expanded. */
  readonly expandDelayMs?: number;
  /** Its capacity by segment; absent: not published, and always enough. */
  readonly capacity?: readonly StorageSegment[];
  /** Further fields of its CSIDriver object. */
  readonly csiDriver?: Partial<Omit<CSIDriver['spec'], 'attachRequired' | 'storageCapacity'>>;
  readonly storageClasses: readonly StorageClassSpec[];
}
