/** What clients do and are shown, as events for those who wait until they are idle. */

/** `kind`: absent if the request is about no object. */
export interface ClientRequest {
  readonly client: string;
  readonly verb: string;
  readonly kind: string | undefined;
  readonly target: string;
}

export type ClientEvent =
  /** A request begins; it waits for virtual time, and goes on; its answer is made. */
  | ({ readonly type: 'request' } & ClientRequest)
  | ({ readonly type: 'answer'; readonly status: number } & ClientRequest)
  | { readonly type: 'waits' | 'goesOn'; readonly client: string }
  | { readonly type: 'opens' | 'closes' | 'shown'; readonly client: string; readonly kind: string };
