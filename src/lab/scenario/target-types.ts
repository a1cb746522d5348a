/** References to objects in steps, expectations and questions, and conditions over them. */
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
  /** A condition over `self`. */
  readonly cel?: Expression;
  /** The n-th existing match by creation, from 1. */
  readonly nth?: number;
  /** Exactly one object must match. */
  readonly only?: boolean;
}
