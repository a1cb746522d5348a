/** A served cluster as its routes see it: how it began, its clock and history, and the way back to its start. */
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { Api } from '../api.ts';
import type { HttpHead, HttpReply, HttpRequest } from '../message.ts';
import type { Clock } from './clock.ts';
import type { History } from './history.ts';

/** A cluster at its start, and what to know of how it got there. */
export interface Start {
  readonly cluster: Cluster;
  readonly scenario?: string;
  readonly seed?: number;
  /** What went wrong on the way, a line each. */
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
  /** What a request is refused with before its body is read; undefined: it may go on. */
  admit(head: HttpHead): HttpReply | undefined;
  stop(): void;
}
