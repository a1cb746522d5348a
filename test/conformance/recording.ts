/** The format of a recorded case, and its reader. Objects are not validated: missing fields are absent. */
import { brotliDecompressSync } from 'node:zlib';
import { compareText } from '../../src/schema/values/index.ts';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface RecordedCase {
  readonly name: string;
  readonly actions: RecordedActions;
  readonly trace: readonly TraceLine[];
}

/** A case about processes only (leader election) has no namespace, start and duration. */
export interface RecordedActions {
  readonly namespace?: string;
  readonly startWallClock?: string;
  readonly durationSeconds?: number;
  /** How the recorded controller manager differs from the others. */
  readonly kcm?: string;
  readonly actions: readonly RecordedAction[];
}

export interface RecordedAction {
  /** Seconds since the start. */
  readonly t: number;
  readonly note?: string;
  readonly method?: string;
  readonly path?: string;
  readonly contentType?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly code?: number;
}

/** One change of an object, recorded or simulated. */
export interface TraceLine {
  /** Seconds since the start. */
  readonly t: number;
  readonly type: string;
  readonly object: TracedObject;
}

export interface OwnerReference {
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly controller?: boolean;
}
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The fields that are compared. */
export interface TracedObject {
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly OwnerReference[];
  };
  readonly spec?: {
    readonly containers?: readonly { readonly image?: string }[];
    readonly nodeName?: string;
    /** ReplicaSet. */
    readonly replicas?: number;
    /** PersistentVolumeClaim, PersistentVolume, VolumeAttachment, Lease. */
    readonly volumeName?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    readonly source?: { readonly persistentVolumeName?: string };
    readonly holderIdentity?: string;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
  readonly status?: Readonly<Record<string, unknown>> & {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly startTime?: string;
    readonly active?: unknown;
    readonly uncountedTerminatedPods?: { readonly failed?: readonly string[]; readonly succeeded?: readonly string[] };
  };
  /** Endpoints. */
  readonly subsets?: readonly {
    readonly addresses?: readonly unknown[];
    readonly notReadyAddresses?: readonly unknown[];
    readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
  }[];
  /** EndpointSlice. */
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[];
  /** ControllerRevision. */
  readonly revision?: number;
  /** Event. */
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject?: { readonly kind?: string };
  readonly source?: { readonly component?: string };
}

/** Reads CASE/{actions.json,trace.jsonl}. */
function readCase(folder: string): RecordedCase {
  return {
    name: basename(folder),
    actions: JSON.parse(readFileSync(join(folder, 'actions.json'), 'utf8')) as RecordedActions,
    trace: jsonLines(readFileSync(join(folder, 'trace.jsonl'), 'utf8')) as TraceLine[],
  };
}

/** Returns the cases at a path: one case, a folder of cases, or a packed file of cases. Sorted by name; empty if there is none. */
export function readCases(path: string): readonly RecordedCase[] {
  if (path.endsWith('.br')) {
    const packed = jsonLines(brotliDecompressSync(readFileSync(path)).toString('utf8')) as (Omit<RecordedCase, 'name'> & {
      readonly case: string;
    })[];
    return packed.map(({ case: name, actions, trace }) => ({ name, actions, trace }));
  }
  if (isCase(path)) return [readCase(path)];
  const inner = existsSync(join(path, 'traces')) ? join(path, 'traces') : path;
  return readdirSync(inner)
    .sort(compareText)
    .map((name) => join(inner, name))
    .filter(isCase)
    .map(readCase);
}

/** Sorts lines by the order in which the server wrote them. */
export function inOrder(lines: readonly TraceLine[]): TraceLine[] {
  const revision = ({ object }: TraceLine): number => Number(object.metadata?.resourceVersion ?? 0);
  return [...lines].sort((a, b) => revision(a) - revision(b));
}

/** Returns the changes of the case, without its namespace and without older objects, which the recorder lists when it begins to watch. */
export function ofTheCase(lines: readonly TraceLine[], { namespace, startWallClock = '' }: RecordedActions): readonly TraceLine[] {
  const second = startWallClock.slice(0, 19);
  return lines.filter(
    ({ object: { kind, metadata } }) =>
      (metadata?.creationTimestamp ?? second).slice(0, 19) >= second && !(kind === 'Namespace' && metadata?.name === namespace),
  );
}

function isCase(folder: string): boolean {
  return existsSync(join(folder, 'actions.json')) && existsSync(join(folder, 'trace.jsonl'));
}

function jsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
}
