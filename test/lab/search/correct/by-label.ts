/** A list of children by their labels. */
import { create, defineController, idle, remove, write } from '../../../../src/index.ts';
import { custom, getLive, isDeleting, labelOf, ownedBy, resources, specOf, stillThere, watchOwned } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const byLabel = defineCorrect({
  name: 'by-label',
  idiom: 'Children without a place in the spec are removed by uid, after the server has shown that the spec is the newest.',
  kinds: resources('Menu', 'Dish'),
  stories: livesOf({
    kind: 'Menu',
    spec: '{ dishes: [soup, rice] }',
    changed: '{ dishes: [rice, fish] }',
    present: "['soup', 'rice'].all(d, objects('Dish').exists(o, o.metadata.labels.dish == d)) && objects('Dish').size() == 2",
    afterwards: "['rice', 'fish'].all(d, objects('Dish').exists(o, o.metadata.labels.dish == d)) && objects('Dish').size() == 2",
    gone: "objects('Dish').size() == 0",
  }),
  controllers: () => [
    defineController({
      name: 'menu',
      reconciles: 'Menu',
      writes: ['Dish'],
      watches: [watchOwned('Dish', 'Menu')],
      reconcile: ({ self }) =>
        isDeleting(self)
          ? idle('it is being deleted')
          : write('look at the newest menu', getLive('Menu', self.metadata.namespace, self.metadata.name)),
      resume({ self, cache }, { object }) {
        if (self === undefined || object === undefined || object.metadata.uid !== self.metadata.uid) return idle('the cache is old');
        const { dishes = [] } = specOf<{ dishes: readonly string[] }>(object);
        const present = cache.controlledBy('Dish', self);
        const missing = dishes.filter((each) => !present.some((dish) => labelOf(dish, 'dish') === each));
        const surplus = present.filter((each) => !dishes.includes(labelOf(each, 'dish') ?? ''));
        if (missing.length + surplus.length === 0) return idle('the menu is right');
        const { name, uid } = self.metadata;
        const made = missing.map((dish) =>
          create(custom('Dish', ownedBy(self, { name: `${name}-${uid.slice(0, 8)}-${dish}`, labels: { dish } })), {
            tolerate: ['AlreadyExists'],
          }),
        );
        return write('the menu has changed', stillThere(self), ...made, ...surplus.map((each) => remove(each)));
      },
    }),
  ],
});
