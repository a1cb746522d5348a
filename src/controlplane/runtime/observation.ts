/**
 * Observations: what happened in a cluster, as its observers (trace, report, invariants) receive it. One record per write, delivery,
 * decision, timer and process change, each with all its causes.
 */
import type { Status } from '../../apiserver/machinery/index.ts';
import type { ApiRequest, Envelope } from '../../apiserver/request/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { present } from '../../schema/values/index.ts';
import type { DeltaType } from './watches.ts';

/** The objects of a kind that a process watches. The last two are of clients: a namespace, and a label selector. */
export interface Selected {
  readonly index: 'nodeName' | 'name' | 'namespace' | 'labels';
  readonly value: string;
}

/** What a process starts to watch: its caches hold these kinds as of a revision, and every later change that was delivered. */
export interface Lists {
  readonly revision: number;
  readonly kinds: readonly { readonly kind: string; readonly only?: Selected }[];
  /** The controllers that start, and the kind of the objects that the keys of each name. */
  readonly controllers: readonly { readonly name: string; readonly reconciles?: string }[];
}

/** Elided renewals of a lease: one at `firstAt` and one per period after it, up to the end. No trace entry reports them. */
export interface RenewalInterval {
  /** Identity; of two renewals at one instant the one with the smaller order is first. */
  readonly order: number;
  readonly process: string;
  readonly controller: string;
  /** The lease, `namespace/name`. */
  readonly lease: string;
  /** When the first renewal was committed, milliseconds since the epoch. */
  readonly firstAt: number;
  readonly everyMs: number;
  /** From the decision of a renewal, whose time the lease shows, to its commit. */
  readonly delayMs: number;
  /** No renewal after this instant; absent: no end yet. */
  readonly until?: number;
}

interface Base {
  /** Identity in the run, increasing from 1. */
  readonly id: number;
  /** Virtual time, milliseconds since the epoch. */
  readonly at: number;
  /** Identities of the observations that caused this one. */
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
        /**
         * `retires`: everything but the elector stops, and the caches are lost; its identity is that of the entry before it, as that of
         * `follows`: it watches kinds that a client has defined. `lists`: a client outside the cluster was answered a list.
         */
        readonly what: 'started' | 'leads' | 'follows' | 'lists' | 'retires' | 'crashed' | 'stopped' | 'refused';
        /** Why the process did not start. */
        readonly refusal?: string;
        /** The gates that differ from the cluster's, when it starts. */
        readonly gates?: Readonly<Record<string, boolean>>;
        /** When it starts, leads, follows or lists. */
        readonly lists?: Lists;
      }
    | { readonly type: 'operation'; readonly label: string }
    | {
        readonly type: 'fault';
        readonly fault: string;
        readonly detail: string;
        /** The request: its subject, its parameters (durations in milliseconds), and these as a scenario writes them. */
        readonly given?: { readonly subject: unknown; readonly parameters: Readonly<Record<string, unknown>>; readonly text: string };
      }
  );

// Distributes over the union, which Omit alone would flatten.
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An observation before it has its identity and time. */
export type Observed = Without<Observation, 'id' | 'at'>;

/** The observation of a refused request, with its author as far as known. */
export const refusalOf = (
  { request, by: { process, controller, key }, causes }: Envelope,
  status: Extract<Observed, { type: 'refusal' }>['status'],
): Observed => ({
  type: 'refusal',
  actor: process,
  request: phraseOf(request),
  causes,
  status,
  ...present({ controller, key }),
});

/** The longest part of a name that is printed, characters. */
const LONGEST_NAME = 253;

/** A text of a body that is not validated yet: its members may have any type. */
const textIn = (value: unknown, key: string): string | undefined => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const found = (value as Readonly<Record<string, unknown>>)[key];
  return typeof found === 'string' && found !== '' ? found.slice(0, LONGEST_NAME) : undefined;
};

/**
 * A request as a phrase for people: `update Job/status default/pi`. Refused requests are printed too, so any body must give a phrase: an
 * error here would replace the server's response.
 */
export function phraseOf(request: ApiRequest): string {
  const sub = 'subresource' in request && request.subresource !== undefined ? `/${request.subresource}` : '';
  return `${request.verb} ${request.kind}${sub} ${request.namespace === undefined ? '' : `${request.namespace}/`}${nameIn(request)}`;
}

function nameIn(request: ApiRequest): string {
  if (request.verb !== 'create') return 'name' in request ? request.name : '*';
  if (request.name !== undefined) return request.name;
  const body: unknown = request.body;
  const metadata = typeof body === 'object' && body !== null && 'metadata' in body ? body.metadata : undefined;
  return textIn(metadata, 'name') ?? `${textIn(metadata, 'generateName') ?? ''}*`;
}
