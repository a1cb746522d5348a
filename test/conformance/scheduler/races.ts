/** Recorded queues with a race that cannot happen here, each with its reason: an exact list. */
export const RACES: Readonly<Record<string, string>> = {
  'q-priority-order-room-for-two':
    'the bindings of two pods were observed during the attempt of a third, which then only had to wait for its back-off',
  'q-nominated-then-higher-priority-takes-room':
    'the eviction was observed after the attempt; in the five other cases, and here, it is observed before',
};
