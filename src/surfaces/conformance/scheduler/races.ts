/** Recorded queues that caught a race which has no counterpart here, each with its reason: an exact list. */
export const RACES: Readonly<Record<string, string>> = {
  'q-priority-order-room-for-two':
    'the bindings of two pods were seen while a third was being tried, which then only waited out its back-off',
  'q-nominated-then-higher-priority-takes-room':
    'the eviction was seen after the attempt was over; in the five other cases, and here, it is seen before',
};
