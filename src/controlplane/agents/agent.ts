/** The contract of an agent: a component outside the control plane that runs in its own processes. */
import type { CredentialPlugin } from '../config/index.ts';
import type { ProcessSpec } from '../runtime/index.ts';
import type { UsageSpec } from '../usage/index.ts';
import type { World } from './node/machine.ts';
import type { AgentStart, CertificateSigner, CredentialsFor, ImageSpec, NodeSpec, PodBehavior, PodSource, StorageDriver } from './specs.ts';

/** The options of agents when a cluster is created. */
export interface AgentOptions {
  readonly world: World;
  readonly podBehaviors: readonly PodBehavior[];
  readonly storageDrivers: readonly StorageDriver[];
  /** The start of agents whose nodes specify none. */
  readonly start?: AgentStart;
  /** Gates of the cluster; an agent's own gates take precedence. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The duration in seconds of the node lease of an agent without configuration; it is renewed four times in that time. */
  readonly nodeLeaseDurationSeconds: number;
  /** Agents record events when they pull images and create, start and stop containers. */
  readonly podEvents?: boolean;
  /** Images that have to be pulled; absent: every image is on every node. */
  readonly images?: readonly ImageSpec[];
  /** Usage of pods and nodes; absent: none, and no node comes under pressure. */
  readonly usage?: readonly UsageSpec[];
  readonly podSources?: readonly PodSource[];
  /** The time from which times of images and usage count, milliseconds since the epoch. */
  readonly startAt?: number;
  readonly credentialsFor?: CredentialsFor;
  /** The plug-ins of agents that are configured to use them, in order. */
  readonly credentialProviders?: readonly CredentialPlugin[];
  /** The signers of certificates; absent: none. */
  readonly certificateSigners?: readonly CertificateSigner[];
}

export interface Agent {
  readonly name: string;
  /** Its processes in a new cluster with these nodes. */
  processes(nodes: readonly NodeSpec[], options: AgentOptions): readonly ProcessSpec[];
}
