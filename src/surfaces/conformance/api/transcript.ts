/** API transcripts as they were recorded: requests and answers, one record a line. */

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: the administrator's; null: none. */
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
  /** Of a watch. */
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
  /** Absent: the API server alone; `gates`: with alpha gates; `full`: with controllers. */
  readonly server?: 'gates' | 'full';
  readonly hints?: readonly string[];
  readonly steps?: readonly Step[];
  readonly request?: RecordedRequest;
  readonly response?: RecordedResponse;
}

/** A single exchange is a sequence of one. */
export function stepsOf({ steps, request, response }: Transcript): readonly Step[] {
  if (steps !== undefined) return steps;
  return [{ ...(request === undefined ? {} : { request }), ...(response === undefined ? {} : { response }) }];
}
