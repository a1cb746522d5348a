/** Questions to decision rules, in the form that the simulation evaluates. */
import type { TargetRef } from './target-types.ts';

/** One end of a connection: objects of the cluster, or an address outside. */
export type TrafficEndRef = TargetRef | { readonly address: string };

/** A question whether NetworkPolicies allow a connection. */
export interface TrafficQuestion {
  readonly from: TrafficEndRef;
  readonly to: TrafficEndRef;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
}

/** A question about the backend of an HTTP request. */
export interface BackendQuestion {
  readonly ingress?: TargetRef;
  readonly class?: string;
  readonly host: string;
  readonly path: string;
  readonly tls?: boolean;
  readonly sni?: string;
  /** The secret that must terminate TLS, or `none`. */
  readonly secret?: string;
}

/** A question about the endpoints that a consumer of a Service uses. */
export interface EndpointsQuestion {
  readonly service: string;
  readonly namespace?: string;
  readonly zone?: string;
  readonly via?: 'EndpointSlice' | 'Endpoints';
}

export interface CapacityExpectation {
  readonly storageClass: string;
  readonly size: string;
  readonly node: string;
}

/** A request to a listener of a process. */
export interface AnswerQuestion {
  readonly process: string;
  readonly path: string;
  readonly listener?: 'server' | 'read-only' | 'health';
  readonly token?: string;
  readonly cert?: string;
  readonly proxy?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly review?: 'allowed' | 'denied';
}

/** A question and its expected answer. */
export type DecisionExpectation =
  | { readonly expect: 'traffic'; readonly question: TrafficQuestion; readonly is: boolean }
  | { readonly expect: 'backend'; readonly question: BackendQuestion; readonly is: string }
  | { readonly expect: 'endpoints'; readonly question: EndpointsQuestion; readonly is: readonly string[] }
  | { readonly expect: 'capacity'; readonly question: CapacityExpectation; readonly is: boolean }
  | { readonly expect: 'answer'; readonly question: AnswerQuestion; readonly is: number }
  | { readonly expect: 'preferred'; readonly question: { readonly group: string }; readonly is: string };
