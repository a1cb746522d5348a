/** The format of recorded API transcripts: requests and responses, one record a line. */

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: the administrator's token; null: none. */
  readonly token?: string | null;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly bodyFrom?: { readonly from: number; readonly set?: readonly (readonly [string, unknown])[]; readonly unset?: readonly string[] };
  readonly bodyGen?: {
    readonly base: Readonly<Record<string, unknown>>;
    readonly annotation?: string;
    readonly parameter?: string;
    readonly char: string;
    readonly length: number;
  };
  readonly templated?: boolean;
}

export interface RecordedResponse {
  readonly code: number;
  readonly contentType?: string;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly warnings?: readonly string[];
  readonly aborted?: unknown;
  /** The events of a watch. */
  readonly events?: readonly unknown[];
  readonly endedBy?: 'client' | 'server';
}

export interface Step {
  readonly request?: RecordedRequest;
  readonly response?: RecordedResponse;
  readonly op?: string;
  readonly note?: string;
  readonly unordered?: boolean;
  readonly watchStart?: string;
  readonly watchEnd?: string;
}

export interface Transcript {
  readonly id: string;
  readonly kind?: string;
  readonly case?: string;
  /** Absent: only the API server; `gates`: with alpha gates; `full`: with controllers. */
  readonly server?: 'gates' | 'full';
  readonly hints?: readonly string[];
  readonly steps?: readonly Step[];
  readonly request?: RecordedRequest;
  readonly response?: RecordedResponse;
}

/** Returns the steps; a single exchange is one step. */
export function stepsOf({ steps, request, response }: Transcript): readonly Step[] {
  if (steps !== undefined) return steps;
  return [{ ...(request === undefined ? {} : { request }), ...(response === undefined ? {} : { response }) }];
}
