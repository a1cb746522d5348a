/** Storage in a scenario: classes, drivers, and their capacity. */

export interface StorageClassSpec {
  readonly name: string;
  readonly volumeBindingMode?: string;
  readonly reclaimPolicy?: string;
  readonly allowVolumeExpansion?: boolean;
  readonly isDefault?: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly mountOptions?: readonly string[];
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
  readonly csiDriver?: {
    readonly podInfoOnMount?: boolean;
    readonly requiresRepublish?: boolean;
    readonly fsGroupPolicy?: string;
    readonly volumeLifecycleModes?: readonly string[];
    readonly tokenRequests?: readonly { readonly audience: string; readonly expirationSeconds?: number }[];
  };
  readonly storageClasses: readonly StorageClassSpec[];
}
