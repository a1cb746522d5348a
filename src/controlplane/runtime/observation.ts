/**
 * What happened, as the cluster tells it to whoever listens (trace, report, invariants): one record per write, delivery, decision, timer
 * and process change, each with all its causes.
 */
import type { Status } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { DeltaType } from './contract.ts';

/** What a process begins to follow: its caches hold these kinds as they were at a revision, and every change since that reached it. */
export interface Lists {
  readonly revision: number;
  readonly kinds: readonly { readonly kind: string; readonly only?: { readonly index: 'nodeName' | 'name'; readonly value: string } }[];
  /** The controllers that begin, and the kind that the keys of each name. */
  readonly controllers: readonly { readonly name: string; readonly reconciles?: string }[];
}

/** Renewals of a lease in closed form: one at `firstAt` and one every so often after it, up to the end. No entry tells of them. */
export interface RenewalInterval {
  /** Identity; of two at one instant the smaller one beats first. */
  readonly order: number;
  readonly process: string;
  readonly controller: string;
  /** The lease, `namespace/name`. */
  readonly lease: string;
  /** When the first renewal was committed, milliseconds since the epoch. */
  readonly firstAt: number;
  readonly everyMs: number;
  /** From a renewal's decision, whose time it carries, to its commit. */
  readonly delayMs: number;
  /** No renewal after this instant; absent: it goes on. */
  readonly until?: number;
}

interface Base {
  /** Identity in the run, increasing from 1. */
  readonly id: number;
  /** Virtual time, milliseconds since the epoch. */
  readonly at: number;
  /** Identities of the observations that led to this one. */
  readonly causes: readonly number[];
}

export type Observation = Base &
  (
    | {
        readonly type: 'write';
        readonly actor: string;
        readonly controller?: string;
        readonly key?: string;
        readonly request: string;
        readonly change: Change;
      }
    | {
        readonly type: 'refusal';
        readonly actor: string;
        readonly controller?: string;
        readonly key?: string;
        readonly request: string;
        readonly status: Status;
      }
    | {
        readonly type: 'delivery';
        readonly process: string;
        readonly delta: DeltaType;
        readonly kind: string;
        readonly key: string;
        readonly revision: number;
      }
    | {
        readonly type: 'reconcile';
        readonly process: string;
        readonly controller: string;
        readonly key: string;
        readonly why: string;
        readonly writes: number;
        readonly wakeAt?: number;
        readonly failures: number;
      }
    | {
        readonly type: 'timer';
        readonly process: string;
        readonly controller: string;
        readonly key: string;
        readonly because: 'delay' | 'backoff' | 'wake';
      }
    | {
        readonly type: 'process';
        readonly process: string;
        /** `retires`: all but its elector stop, and its caches are lost; its identity is that of the entry before it. */
        readonly what: 'started' | 'leads' | 'retires' | 'crashed' | 'stopped' | 'refused';
        /** Why it did not start. */
        readonly refusal?: string;
        /** Its gates that are not as everywhere in the cluster, of those who start. */
        readonly gates?: Readonly<Record<string, boolean>>;
        /** Of those who start or lead. */
        readonly lists?: Lists;
      }
    | { readonly type: 'operation'; readonly label: string }
    | {
        readonly type: 'fault';
        readonly fault: string;
        readonly detail: string;
        /** What was asked for: whom it is about, its parameters (durations in milliseconds), and these as a scenario writes them. */
        readonly given?: { readonly subject: unknown; readonly parameters: Readonly<Record<string, unknown>>; readonly text: string };
      }
  );

// Distributes over the union, which Omit alone would flatten.
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An observation before it has its identity and time. */
export type Observed = Without<Observation, 'id' | 'at'>;
