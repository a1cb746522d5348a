/** The format of recorded access decisions. */

export interface RecordedDecision {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly path?: string;
  readonly allowed: boolean;
  readonly reason?: string;
  readonly ssar?: unknown;
  readonly request?: { readonly method: string; readonly path: string; readonly body?: unknown; readonly contentType?: string };
  readonly code?: number;
  readonly message?: string | null;
}

interface RecordedAccessRequest {
  readonly note?: string;
  readonly user?: string;
  readonly token?: string | null;
  readonly groups?: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly code: number;
  readonly message: string | null;
}

export interface RecordedSet {
  readonly set: string;
  readonly namespaces: readonly string[];
  readonly objects: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
  }[];
  readonly decisions: readonly RecordedDecision[];
  readonly requests?: readonly RecordedAccessRequest[];
}
