/** Storage as a scenario describes it: classes, what drivers have room for, and drivers. */

export interface StorageClassSpec {
  readonly name: string;
  readonly volumeBindingMode?: string;
  readonly reclaimPolicy?: string;
  readonly allowVolumeExpansion?: boolean;
  readonly isDefault?: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly mountOptions?: readonly string[];
}

/** Room for volumes in one place. */
export interface StorageSegment {
  /** The labels of the nodes that reach it; empty: all of them. */
  readonly topology: Readonly<Record<string, string>>;
  readonly size: string;
  /** The largest volume; absent: as much as there is left. */
  readonly maximumVolumeSize?: string;
}

export interface StorageDriver {
  readonly name: string;
  readonly attachDelayMs: number;
  readonly detachDelayMs: number;
  readonly provisionDelayMs: number;
  /** So many failures before the first success, per volume. */
  readonly failures?: { readonly attach?: number; readonly detach?: number; readonly provision?: number };
  /** false: the CSIDriver object says that its volumes need no attachment. */
  readonly attachRequired?: boolean;
  /** The allocatable count its CSINode entries state. */
  readonly volumesPerNode?: number;
  /** The keys of nodes' labels by which its volumes are near or far, as its CSINode entries state them. */
  readonly topologyKeys?: readonly string[];
  /** The mount options it knows; absent: all. */
  readonly mountOptions?: readonly string[];
  /** The parameters of classes it knows; absent: all. */
  readonly parameters?: readonly string[];
  /** How long growing a volume takes; absent: it cannot grow. */
  readonly expandDelayMs?: number;
  /** What it has room for, by segment of its topology; absent: it says nothing of that, and always has enough. */
  readonly capacity?: readonly StorageSegment[];
  /** What else its CSIDriver object says. */
  readonly csiDriver?: {
    readonly podInfoOnMount?: boolean;
    readonly requiresRepublish?: boolean;
    readonly fsGroupPolicy?: string;
    readonly volumeLifecycleModes?: readonly string[];
    readonly tokenRequests?: readonly { readonly audience: string; readonly expirationSeconds?: number }[];
  };
  readonly storageClasses: readonly StorageClassSpec[];
}
