/** What steps, expectations and questions point with: objects, and conditions over them. */
import type { Position } from '../../schema/yaml/index.ts';

/** A CEL expression that compiled when the scenario was read. */
export interface Expression {
  readonly cel: string;
  readonly source?: Position;
}

/** Which objects a step means. Without `name` it may be several: all that match, in order of creation, unless `nth` picks one. */
export interface TargetRef {
  readonly kind: string;
  /** Absent means `default` for namespaced kinds; `*` every namespace. See `targetNamespace`. */
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** A condition over `self`. */
  readonly cel?: Expression;
  /** The n-th existing match by creation, from 1. */
  readonly nth?: number;
  /** Where one object is meant there must be exactly one that matches. */
  readonly only?: boolean;
}
