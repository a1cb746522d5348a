/** The part of the server that admission may use during a request. */
import type { RandomStream } from '../../engine/random.ts';
import type { ApiObject, FeatureGates, KindContext, Names, RulesMode } from '../machinery/index.ts';
import type { KindRegistry, Webhook } from '../kinds/index.ts';
import type { ChangeType, Store, WritableStore } from '../store/index.ts';
import type { Allocations } from './services/allocations.ts';
import type { ApiRequest, Envelope, Resource, WatchRequest } from '../request/index.ts';

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

export interface Scope extends Pick<ServerOptions, 'kinds' | 'names' | 'gates' | 'random' | 'now' | 'webhooks'> {
  /** For reading; writes use `commit`. */
  readonly store: Store;
  readonly kept: Kept;
  readonly trackFields: ServerOptions['trackFields'];
  readonly takenUids?: ServerOptions['takenUids'] | undefined;
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
