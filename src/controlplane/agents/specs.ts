/** What the world outside the control plane consists of: nodes, what their containers do, storage drivers. Plain data; durations in milliseconds. */

export interface NodeSpec {
  readonly name: string;
  /** Quantities by resource. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
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

export interface StorageClassSpec {
  readonly name: string;
  readonly volumeBindingMode?: string;
  readonly reclaimPolicy?: string;
  readonly allowVolumeExpansion?: boolean;
  readonly isDefault?: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly mountOptions?: readonly string[];
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
  readonly storageClasses: readonly StorageClassSpec[];
}
