/** What the fields of a file are read as: objects, references to objects, conditions over them, faults. */
import type { Position } from '../../schema/yaml/index.ts';

/** A CEL expression that compiled when the scenario was read. */
export interface Expression {
  readonly cel: string;
  readonly source?: Position;
}

/** A reference to objects. Without `name` it may select several: all matches in order of creation, unless `nth` picks one. */
export interface TargetRef {
  readonly kind: string;
  /** Absent: `default` for namespaced kinds; `*`: every namespace. See `targetNamespace`. */
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly cel?: Expression;
  /** The n-th existing match by creation, from 1. */
  readonly nth?: number;
  /** Exactly one object must match. */
  readonly only?: boolean;
}

/** An object as a scenario's author wrote it: a mapping with a kind; everything else is checked by the server. */
export interface Manifest {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A manifest with its position; generated scenarios have none. */
export interface SourcedManifest {
  readonly object: Manifest;
  readonly source?: Position;
}

/** A fault of a file: `{ crash: controller-manager, restartAfter: 10s }` is name, subject and parameters (durations in milliseconds). */
export interface FaultCall {
  readonly name: string;
  readonly subject: unknown;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Where a dump is, and how it is read. */
export interface DumpSource {
  /** Files and folders, relative to the working directory. */
  readonly paths: readonly string[];
  /** Secrets keep their values. */
  readonly secrets?: boolean;
  /** What cannot be read is left out. */
  readonly lenient?: boolean;
  /** A file of behaviours, relative to the working directory. */
  readonly behaviors?: string;
}
