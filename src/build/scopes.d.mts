/** A node of the syntax tree; its other members depend on the type. */
export interface ScriptNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export interface Variable {
  readonly name: string;
  readonly kind: string;
  readonly scope: Scope;
  /** Its first value, where it is declared with one. */
  readonly init?: ScriptNode | null;
  /** Whether a function inside that of its scope reads or writes it. */
  readonly captured: boolean;
  /** Its assignments after the declaration. */
  readonly writes: readonly ScriptNode[];
  /** Where it is named, with what stands around. */
  readonly uses: readonly Use[];
}

export interface Use {
  readonly node: ScriptNode;
  readonly scope: Scope;
  readonly parent: ScriptNode;
}

export interface Scope {
  readonly node: ScriptNode;
  readonly parent: Scope | undefined;
  /** The scope of the function around it. */
  readonly fn: Scope;
  readonly variables: ReadonlyMap<string, Variable>;
}

export interface Scopes {
  readonly ast: ScriptNode;
  readonly top: Scope;
  /** The scopes that nodes open. */
  readonly scopeOf: ReadonlyMap<ScriptNode, Scope>;
  find(name: string, scope: Scope): Variable | undefined;
}

/** Finds the scopes of a script and its variables. */
export function scopesOf(code: string, options?: { readonly sourceType?: 'module' | 'script' }): Scopes;
/** The identifiers and members that a pattern assigns to. */
export function targetsOf(pattern: ScriptNode): ScriptNode[];
/** The nodes directly below a node, with the names of their members. */
export function childrenOf(node: ScriptNode): Generator<[child: ScriptNode, member: string]>;
