/**
 * Set by the build: whether this is the page with the engine inside, or the one of recordings, which then leaves out what only an engine
 * needs.
 */
declare const BUILT_WITH_ENGINE: boolean;
