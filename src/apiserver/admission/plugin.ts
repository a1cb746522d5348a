/**
 * An admission plug-in changes the object of one write, or refuses it by throwing a `Refusal`. With the part of the server that it may use
 * during a request. Models: apiserver pkg/admission.
 */
import type { RandomStream } from '../../engine/random.ts';
import type { ApiObject, Draft, FeatureGates, KindContext, Names, RulesMode } from '../machinery/index.ts';
import type { KindRegistry, Webhook } from '../kinds/index.ts';
import type { ChangeType, Store, WritableStore } from '../store/index.ts';
import type { Allocations } from './services/allocations.ts';
import type { ApiRequest, Envelope, Resource, WatchRequest } from '../request/index.ts';

export type AdmissionVerb = 'create' | 'update' | 'delete';

export interface Attributes {
  readonly verb: AdmissionVerb;
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource?: string | undefined;
  readonly dryRun: boolean;
  /** Whether webhooks have been asked already, about the form of the sub-resource by which it is written. */
  readonly isReviewed?: boolean;
  readonly request: ApiRequest;
}

/** Takes warnings for the client. */
export interface Warner {
  warn(texts: readonly string[]): void;
}

export interface AdmissionPlugin {
  readonly name: string;
  readonly verbs: readonly AdmissionVerb[];
  /** The kinds that it handles; absent: all. */
  readonly kinds?: readonly string[];
  /** Whether it handles writes to sub-resources, too. */
  readonly subresources?: boolean;
  /** A kind without whose objects it has nothing to do. */
  readonly needs?: string;
  /**
   * The kinds that it reads. A plug-in with this member guarantees that its decision on a new object depends only on the namespace, on the
   * part that all objects of one template share, and on objects of these kinds. It runs once for each template; other plug-ins run for each
   * object.
   */
  readonly reads?: readonly string[];
  /**
   * The parts that `mutate` changes. `nothing`: it only refuses new objects early. `spec`: it changes the specification (and annotations
   * about it), but not one that it has handled before, so that a write which keeps the specification does not need it. Absent: anything.
   */
  readonly changes?: 'nothing' | 'spec';
  /** Members that it sets where they are missing: their absence before it has run is not an error. */
  readonly fills?: readonly string[];
  /** The part of `mutate` that does not depend on stored objects, for checks of a document without a server. */
  mutateWithoutStore?(draft: Draft): void;
  /** Runs before validation. It may change the object. */
  mutate?(scope: Scope, attributes: Attributes, draft: Draft, old: ApiObject | undefined, warner?: Warner): void;
  /** Runs on the final object. For deletions `object` and `old` are the stored object. */
  validate?(scope: Scope, attributes: Attributes, object: ApiObject, old: ApiObject | undefined, warner?: Warner): void;
}

/** A question to a webhook: the review as it is sent. `name`: that of the webhook, or of the definition whose objects are converted. */
export interface WebhookCall {
  readonly name: string;
  readonly webhook: Pick<Webhook, 'clientConfig' | 'timeoutSeconds'>;
  readonly review: object;
}

/** Returns what a webhook answers, unchecked, or why it does not, in the words of an error. */
export type AskWebhook = (call: WebhookCall) => { readonly review: unknown } | { readonly failure: string };

export interface ServerOptions {
  readonly kinds: KindRegistry;
  readonly store: WritableStore;
  readonly names: Names;
  readonly gates: FeatureGates;
  /** How the server treats rules that the recorded server does not have; absent: the default of the domain. */
  readonly rules?: RulesMode | undefined;
  readonly random: RandomStream;
  /** Virtual time in milliseconds since the epoch. */
  readonly now: () => number;
  /** The id of the current trace entry, to which a commit is attributed. */
  readonly entry: () => number;
  /** Returns the message of a refusal, or undefined to allow; absent: every request is allowed. */
  readonly authorize?: (request: ApiRequest | WatchRequest) => string | undefined;
  /** The maximum number of objects without Events; absent: `MAX_OBJECTS`. */
  readonly maxObjects?: number;
  /** The uids of a dump: none of them is drawn again. */
  readonly takenUids?: ReadonlySet<string>;
  /** Asks the webhooks of configurations in the store; absent: they are kept, and not asked. */
  readonly webhooks?: AskWebhook | undefined;
  /** Whether the writes of a request are tracked in `managedFields`; absent: none are. */
  readonly trackFields?: (request: ApiRequest) => boolean;
}

/** What plug-ins keep of a world beside its objects, from the first request that needs it. */
export interface Kept {
  allocations?: Allocations;
}

type Passed = 'kinds' | 'names' | 'gates' | 'random' | 'now' | 'webhooks' | 'trackFields' | 'takenUids';

export interface Scope extends Pick<ServerOptions, Passed> {
  /** For reading; writes use `commit`. */
  readonly store: Store;
  readonly kept: Kept;
  /** The current request and its user, to whom commits are attributed. */
  readonly envelope: Envelope;
  /** Returns the resource of a kind; throws a refusal for one that is not registered. */
  resource(kind: string): Resource;
  context(): KindContext;
  /** Adds an annotation to the line of the audit log; the first one of a key counts. */
  annotate(key: string, value: string): void;
  /** Makes a change and returns the stored object. `before`: what it replaces. `isFresh`: only the caller has it, so it is not copied. */
  commit(resource: Resource, type: ChangeType, key: string, object: ApiObject, before?: ApiObject, isFresh?: boolean): ApiObject;
}
