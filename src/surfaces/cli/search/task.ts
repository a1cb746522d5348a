/** Tasks of a worker of a search, and their results: runs of a round, or a finding to reduce. The same function runs in every thread. */
import { findingOf, make, type Catch, type Draw, type Finding, type Ground, type Outcome } from '../../../lab/search/index.ts';
import type { Plugins, Sources } from '../../plugins/index.ts';

export type Ask = { readonly ask: 'make'; readonly draws: readonly Draw[] } | { readonly ask: 'shrink'; readonly caught: Catch };

export type Answer =
  | { readonly ask: 'make'; readonly outcomes: readonly Outcome[] }
  | { readonly ask: 'shrink'; readonly finding: Finding | undefined };

/** What a thread of a search is started with. */
export interface SearchData {
  readonly sources: Sources;
  readonly ground: Ground;
}

export function answer(ask: Ask, ground: Ground, plugins: Plugins): Answer {
  const making = { with: plugins.definitions };
  switch (ask.ask) {
    case 'make':
      return { ask: 'make', outcomes: ask.draws.map((draw) => make(ground, draw, making)) };
    case 'shrink':
      return { ask: 'shrink', finding: findingOf(ground, ask.caught, making) };
    default: {
      const never: never = ask;
      return never;
    }
  }
}
