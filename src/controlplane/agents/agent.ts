/** The contract of an agent: a part outside the control plane that runs in processes of its own. */
import type { CredentialPlugin } from '../config/index.ts';
import type { ProcessSpec } from '../runtime/index.ts';
import type { UsageSpec } from '../usage/index.ts';
import type { World } from './node/machine.ts';
import type { AgentStart, CertificateSigner, CredentialsFor, ImageSpec, NodeSpec, PodBehavior, PodSource, StorageDriver } from './specs.ts';

/** What agents are told when a cluster is made. */
export interface AgentOptions {
  readonly world: World;
  readonly podBehaviors: readonly PodBehavior[];
  readonly storageDrivers: readonly StorageDriver[];
  /** How agents are started whose nodes say nothing else. */
  readonly start?: AgentStart;
  /** Gates that the cluster sets; an agent's own come after them. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Seconds of the node lease of an agent that is not configured; it renews four times in that span. */
  readonly nodeLeaseDurationSeconds: number;
  /** Agents record what they pull, create, start and stop. */
  readonly podEvents?: boolean;
  /** Images that have to be pulled; absent: every image is on every node. */
  readonly images?: readonly ImageSpec[];
  /** What pods and nodes use; absent: nothing, and no node runs short. */
  readonly usage?: readonly UsageSpec[];
  /** Pods in files of machines and behind endpoints. */
  readonly podSources?: readonly PodSource[];
  /** What times of images and usage count from, milliseconds since the epoch. */
  readonly startAt?: number;
  readonly credentialsFor?: CredentialsFor;
  /** The plug-ins of agents that are linked to them, in their order. */
  readonly credentialProviders?: readonly CredentialPlugin[];
  /** Who signs certificates; absent: nobody. */
  readonly certificateSigners?: readonly CertificateSigner[];
}

export interface Agent {
  /** That of its folder. */
  readonly name: string;
  /** Its processes in a fresh cluster with these nodes. */
  processes(nodes: readonly NodeSpec[], options: AgentOptions): readonly ProcessSpec[];
}
