/** A served cluster as its routes see it: its start, its clock and history, and its reset. */
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { Api } from '../api.ts';
import type { HttpHead, HttpReply, HttpRequest } from '../message.ts';
import type { Clock } from './clock.ts';
import type { History } from './history.ts';

/** A cluster at its start, with the problems on the way. */
export interface Start {
  readonly cluster: Cluster;
  readonly scenario?: string;
  readonly seed?: number;
  /** Problems during the scenario, a line each. */
  readonly troubles: readonly string[];
}

export interface World {
  readonly start: Start;
  readonly clock: Clock;
  readonly history: History;
  readonly answer: Api;
}

export interface Session {
  readonly current: World;
  reset(): void;
  answer(http: HttpRequest): HttpReply | Promise<HttpReply>;
  /** Returns the refusal of a request before its body is read; undefined: it may continue. */
  admit(head: HttpHead): HttpReply | undefined;
  stop(): void;
}
